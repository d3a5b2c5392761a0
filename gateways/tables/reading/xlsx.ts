/** Rows of a workbook's first visible sheet (ECMA-376). */
import { type TableLimits, type TableRow, TableUnreadable } from '../table.js';
import { openArchive } from './archive.js';
import { sharedTexts } from './sharedTexts.js';
import { sheetRows } from './sheet.js';
import { dayStyles } from './styles.js';
import { readWorkbook } from './workbook.js';

/**
 * Yields the rows of the first visible sheet.
 * @throws TableUnreadable
 */
export async function* xlsxRows(file: string, limits: TableLimits): AsyncGenerator<TableRow> {
  const archive = await openArchive(file, limits);
  try {
    const { sheet, styles, texts, since1904 } = await readWorkbook(archive);
    const facts = {
      texts: texts === null ? [] : await sharedTexts(archive.read(texts)),
      dayStyles: styles === null ? new Set<number>() : await dayStyles(archive.read(styles)),
      since1904,
    };
    if (!archive.has(sheet)) throw new TableUnreadable('damaged');
    yield* sheetRows(archive.read(sheet), facts, limits.columns);
  } finally {
    archive.close();
  }
}
