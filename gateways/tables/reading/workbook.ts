/** Finds the parts of a workbook in its archive, through the relationships between the parts. */
import path from 'node:path';
import { TableUnreadable } from '../table.js';
import type { Archive } from './archive.js';
import { readXml } from './xml.js';

interface Relation {
  /** The last segment of the relationship's type, for example worksheet, styles or sharedStrings. */
  type: string;
  part: string;
}

interface Workbook {
  /** The first visible sheet. */
  sheet: string;
  styles: string | null;
  texts: string | null;
  since1904: boolean;
}

/**
 * Finds the parts.
 * @throws TableUnreadable; `unknown_format` for an archive that is not a workbook
 */
export async function readWorkbook(archive: Archive): Promise<Workbook> {
  if (!archive.has('[content_types].xml') || !archive.has('_rels/.rels')) throw new TableUnreadable('unknown_format');
  const workbook = partOf(await relationsOf(archive, ''), 'officeDocument');
  if (workbook === null || !archive.has(workbook) || !workbook.endsWith('.xml'))
    throw new TableUnreadable('unknown_format');
  const relations = await relationsOf(archive, workbook);
  const { root, sheets, since1904 } = await readSheets(archive, workbook);
  if (root !== 'workbook') throw new TableUnreadable('unknown_format');
  const sheet = sheets.map((id) => relations.get(id)).find((relation) => relation?.type === 'worksheet');
  if (!sheet) throw new TableUnreadable('empty');
  const [styles, texts] = ['styles', 'sharedStrings'].map((type) => partOf(relations, type));
  return { sheet: sheet.part, styles: styles ?? null, texts: texts ?? null, since1904 };
}

function partOf(relations: Map<string, Relation>, type: string): string | null {
  return [...relations.values()].find((relation) => relation.type === type)?.part ?? null;
}

/** Returns the relationships of a part ('' is the archive) to other parts of the archive, by id. */
async function relationsOf(archive: Archive, from: string): Promise<Map<string, Relation>> {
  const { dir, base } = path.posix.parse(from);
  const relationsById = new Map<string, Relation>();
  const relationsPart = path.posix.join(dir, '_rels', `${base}.rels`);
  if (!archive.has(relationsPart)) throw new TableUnreadable('damaged');
  await readXml(archive.read(relationsPart), {
    open(name, attribute) {
      if (name !== 'Relationship' || attribute('TargetMode') === 'External') return;
      const [id, type, target] = [attribute('Id'), attribute('Type'), attribute('Target')];
      if (id === undefined || type === undefined || target === undefined) throw new TableUnreadable('damaged');
      const part = path.posix.join('/', target.startsWith('/') ? target : path.posix.join('/', dir, target)).slice(1);
      relationsById.set(id, { type: type.slice(type.lastIndexOf('/') + 1), part });
    },
  });
  return relationsById;
}

/** Returns the relationship ids of the visible sheets, in the order of their tabs. */
async function readSheets(archive: Archive, workbook: string) {
  const read = { root: '', sheets: [] as string[], since1904: false };
  await readXml(archive.read(workbook), {
    open(name, attribute) {
      read.root ||= name;
      if (name === 'workbookPr') read.since1904 = ['1', 'true'].includes(attribute('date1904') ?? '');
      if (name === 'sheet' && (attribute('state') ?? 'visible') === 'visible')
        read.sheets.push(attribute('r:id') ?? '');
    },
  });
  return read;
}
