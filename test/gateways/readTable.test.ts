/** Uploaded files of people and attackers: what is read, and the reason of each refusal. */
import { ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import iconv from 'iconv-lite';
import { withoutFormula } from '../../gateways/tables/formulas.js';
import { readBatches } from '../../gateways/tables/reading/readBatches.js';
import { showsDay } from '../../gateways/tables/reading/styles.js';
import { readTable } from '../../gateways/tables/readTable.js';
import { TABLE_LIMITS, type TableLimits, type TableRow } from '../../gateways/tables/table.js';
import { TABLE_FORMATS, writeTable } from '../../gateways/tables/writeTable.js';
import { type Part, type WorkbookParts, workbookOf, workbookParts, zipOf } from './workbooks.support.js';

const folder = mkdtempSync(path.join(os.tmpdir(), 'tables-'));
const file = path.join(folder, 'table');
afterAll(() => rmSync(folder, { recursive: true }));

const all = async (batches: AsyncIterable<TableRow[]>) => {
  const rows: TableRow[] = [];
  for await (const batch of batches) rows.push(...batch);
  return rows;
};

/** Reads a file in this process. A process of its own for each file would be most of the work of these tests. */
const read = (bytes: Buffer | string, limits: Partial<TableLimits> = {}) => {
  writeFileSync(file, bytes);
  return all(readBatches(file, { ...TABLE_LIMITS, ...limits }));
};
const cellsOf = async (bytes: Buffer | string) => (await read(bytes)).map(({ cells }) => cells);
const orReason = (rows: Promise<TableRow[]>) =>
  rows.catch((error: unknown) => (error as { reason?: string }).reason ?? error);
const reasonOf = (bytes: Buffer | string, limits: Partial<TableLimits> = {}) => orReason(read(bytes, limits));

/** Reads a file in a process of its own, as files of users are read. */
const isolatedReasonOf = (bytes: Buffer | string, limits: Partial<TableLimits> = {}) => {
  writeFileSync(file, bytes);
  return orReason(all(readTable(file, limits)));
};

/** The readers that this process knows, also when they have just ended. */
const readers = () =>
  (process as unknown as { _getActiveHandles(): object[] })
    ._getActiveHandles()
    .filter((handle): handle is ChildProcess => handle instanceof ChildProcess);

describe('text', () => {
  const TEXT = 'Name;Ort\r\nÄnne "Ö";Zürich – € 5\r\n';
  const ROWS = [
    ['Name', 'Ort'],
    ['Änne "Ö"', 'Zürich – € 5'],
  ];

  test.each(['utf8', 'utf-16le', 'utf-16be', 'windows-1252'])('text is read in %s', async (encoding) => {
    expect(await cellsOf(iconv.encode(TEXT, encoding))).toEqual(ROWS);
    if (encoding !== 'windows-1252')
      expect(await cellsOf(iconv.encode(TEXT, encoding, { addBOM: true }))).toEqual(ROWS);
  });

  test('a character that is split between two chunks of a file is read as one', async () => {
    const name = 'x'.repeat(64 * 1024 - 9).match(/.{1,30000}/g) as string[];
    expect(await cellsOf(`a,b,c\n${name.join(',')}é\n`)).toEqual([
      ['a', 'b', 'c'],
      [...name.slice(0, -1), `${name.at(-1)}é`],
    ]);
  });

  test('rows have the numbers that a spreadsheet shows, and empty rows and trailing cells are left out', async () => {
    expect(await read('\n"Name, full"\tNote\tMore\n\n"a\nb"\tc,d;e\n\t\t\t\nlast\t"say ""hi"""\tx\t\t')).toEqual([
      { line: 2, cells: ['Name, full', 'Note', 'More'] },
      { line: 4, cells: ['a\nb', 'c,d;e'] },
      { line: 6, cells: ['last', 'say "hi"', 'x'] },
    ]);
  });

  test('an apostrophe that protects a cell from being a formula is removed, and no other', async () => {
    expect(await cellsOf("a,b,c,d,e\n'=1+1,''-5,'n Sync,O'Neil,=2+2")).toEqual([
      ['a', 'b', 'c', 'd', 'e'],
      ['=1+1', "'-5", "'n Sync", "O'Neil", '=2+2'],
    ]);
  });

  test('written CSV is read back unchanged', async () => {
    const sign = fc.oneof(
      fc.constantFrom('"', ',', ';', '\t', '\n', '\r', ' ', 'é', '€', '😀'),
      fc.string({ unit: 'grapheme' }),
    );
    const cell = fc.array(sign, { maxLength: 6 }).map((signs) => signs.join('').replaceAll(/[^\P{Cc}\t\n\r]/gu, ''));
    const table = fc
      .integer({ min: 1, max: 5 })
      .chain((width) => fc.array(fc.array(cell, { minLength: width, maxLength: width }), { maxLength: 8 }));
    const written = fc.record({
      rows: table,
      separator: fc.constantFrom(',', ';', '\t'),
      end: fc.constantFrom('\n', '\r\n', '\r'),
      encoding: fc.constantFrom('utf8', 'utf-16le', 'utf-16be'),
    });
    await fc.assert(
      fc.asyncProperty(written, async ({ rows, separator, end, encoding }) => {
        const titles = (rows[0] ?? ['']).map((_, n) => `Title, ${n};\t`);
        const lines = [titles, ...rows].map((cells) =>
          cells.map((one) => quoted(one, titles.length > 1 ? separator : ',;\t')).join(separator),
        );
        writeFileSync(file, iconv.encode(lines.join(end), encoding, { addBOM: true }));
        const found = (await all(readBatches(file, TABLE_LIMITS))).map(({ cells }) => cells);
        expect(found).toEqual([titles, ...rows.map(trimmed).filter((cells) => cells.length > 0)]);
      }),
      { numRuns: Number(process.env['PROPERTY_STEPS'] ?? 200) },
    );
  });

  const trimmed = (cells: string[]) => cells.slice(0, cells.findLastIndex((one) => one !== '') + 1);

  /** The writer protects cells that look like formulas with a leading quote. Without a separator in the titles, the file has one column. */
  function quoted(cell: string, separators: string): string {
    const text = withoutFormula(cell);
    return Array.from(`${separators}"\r\n`).some((sign) => text.includes(sign))
      ? `"${text.replaceAll('"', '""')}"`
      : text;
  }

  test('a file that is no text table is refused with its reason', async () => {
    expect(await reasonOf('')).toBe('empty');
    expect(await reasonOf('\n\n,,,\n')).toBe('empty');
    expect(await reasonOf(`a,b\n"${'endless '.repeat(600_000)}`)).toBe('too_large');
    expect(await reasonOf('a,b\n"never closed')).toBe('damaged');
    expect(await reasonOf(`a\n${'x'.repeat(32_768)}`)).toBe('too_large');
    expect(await reasonOf('a,b\nc\0d,e')).toBe('unknown_format');
    expect(await reasonOf('<html><table></table></html>')).toBe('unknown_format');
    expect(await reasonOf('{"name": "Anna"}')).toBe('unknown_format');
    expect(await reasonOf('%PDF-1.7\n')).toBe('unknown_format');
    // A workbook with a password, or in the format before 2007.
    expect(await reasonOf(Buffer.from('D0CF11E0A1B11AE10000', 'hex'))).toBe('unknown_format');
  });

  test('a table at the limits is read, and one beyond them refused', async () => {
    const limits = { rows: 2, columns: 2 };
    expect(await read('a,b,,\n1,2,\n3,4\n,,\n', limits)).toHaveLength(3);
    expect(await reasonOf('a,b\n1,2\n3,4\n5,6', limits)).toBe('too_many_rows');
    expect(await reasonOf('\n'.repeat(1_048_577))).toBe('too_many_rows');
    expect(await reasonOf('a,b\n1,2,3', limits)).toBe('too_many_columns');
    expect(await isolatedReasonOf('a,b\n1,2', { bytes: 6 })).toBe('too_large');
    expect(await isolatedReasonOf('a,b\n1,2', { seconds: 0 })).toBe('timeout');
  });
});

test.each(TABLE_FORMATS)('a table that is exported as %s is read back unchanged', async (format) => {
  const columns = [
    { title: 'Name', type: 'text' as const },
    { title: 'Joined', type: 'day' as const },
    { title: 'Owes', type: 'number' as const },
  ];
  const texts = [
    '=1+1',
    "'=1",
    "''-5",
    '\ttab',
    'two\r\nlines',
    '_x0041_',
    '"quoted"; <b>&amp;',
    ' wide ',
    '😀',
    '0012',
    '1e5',
  ];
  const rows = texts.map((text, n) => [text, ['1899-12-31', '1900-03-01', '2024-02-29'][n % 3] as string, n * 0.25]);
  async function* batches() {
    yield rows;
  }
  expect(await cellsOf(Buffer.concat(await writeTable(format, columns, batches()).toArray()))).toEqual([
    ['Name', 'Joined', 'Owes'],
    ...rows.map(([text, day, number]) => [text, day, String(number)]),
  ]);
});

describe('a workbook', () => {
  const cells = async (parts: WorkbookParts) => cellsOf(workbookOf(parts));
  const inline = (text: string, at = '') => `<c${at && ` r="${at}"`} t="inlineStr"><is><t>${text}</t></is></c>`;

  test("a workbook's shared, inline and rich texts, booleans, errors, numbers and last formula results are read", async () => {
    const texts =
      '<si><t>Name &amp; more</t></si><si><r><t>Ri</t></r><r><rPr><b/></rPr><t xml:space="preserve">ch </t></r><rPh><t>spoken</t></rPh></si><si><t>a_x000D_b_x005F_x0041_</t></si>';
    const rows = `<row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1" t="s"><v>1</v></c><c r="C1" t="s"><v>2</v></c></row>
      <row r="3"><c r="A3" t="b"><v>1</v></c><c r="C3" t="e"><v>#N/A</v></c></row>
      <row r="4"><c r="A4"><f>1+1</f></c><c r="B4"><f>HYPERLINK("http://x")</f><v>7</v></c><c r="C4" t="str"><f>A1</f><v>text</v></c></row>
      <row>${inline('<![CDATA[<b>]]>')}<c><v>4.479E+11</v></c><c><v>0.30000000000000004</v></c></row>
      <row><c t="d"><v>2024-02-29T00:00:00</v></c><c><v>1E-7</v></c><c><v>-0</v></c></row>`;
    expect(await read(workbookOf({ texts, rows }))).toEqual([
      { line: 1, cells: ['Name & more', 'Rich ', 'a\rb_x0041_'] },
      { line: 3, cells: ['true', '', '#N/A'] },
      { line: 4, cells: ['', '7', 'text'] },
      { line: 5, cells: ['<b>', '447900000000', '0.3'] },
      { line: 6, cells: ['2024-02-29', '0.0000001', '0'] },
    ]);
  });

  test("a workbook's dates are read in either calendar, with the leap day that 1900 did not have", async () => {
    const formats = ['yyyy\\-mm\\-dd', '[$-409]d-mmm-yy hh:mm', '[Red]0.00 "day"', 'h:mm'];
    const row = (style: number, ...serials: (number | string)[]) =>
      `<row>${serials.map((serial) => `<c s="${style}"><v>${serial}</v></c>`).join('')}</row>`;
    const rows =
      row(1, 1, 59, 60, 61, 45351) +
      row(2, 45351.75, 45350.999999999, 0, 2958465, 2958466) +
      row(3, 45351) +
      row(4, 0.5) +
      row(5, 36526);
    expect(await cells({ formats, rows })).toEqual([
      ['1900-01-01', '1900-02-28', '1900-02-29', '1900-03-01', '2024-02-29'],
      ['2024-02-29', '2024-02-29', '0', '9999-12-31', '2958466'],
      ['45351'],
      ['0.5'],
      ['2000-01-01'],
    ]);
    expect(await cells({ formats, since1904: true, rows: row(1, 0, 1, 43889, 2957003) })).toEqual([
      ['1904-01-01', '1904-01-02', '2024-02-29', '9999-12-31'],
    ]);
  });

  test('a number format is a date where it has a date part', () => {
    for (const format of ['yyyy', 'd.m.', 'mmm', 'm/d/yy h:mm', '[$-F800]dddd\\,\\ mmmm', 'yyyy"-"mm;@'])
      expect([format, showsDay(format)]).toEqual([format, true]);
    for (const format of ['General', '0.00', '[h]:mm:ss', 'mm:ss.0', '"day" 0', '\\d0', '[Red]0', '@', '0;yyyy', '_d0'])
      expect([format, showsDay(format)]).toEqual([format, false]);
  });

  test('a workbook is read at its first visible sheet, with any XML prefixes', async () => {
    const sheets =
      '<sheet name="a" sheetId="1" state="hidden" r:id="rId1"/><sheet name="b" sheetId="2" r:id="rId4"/><sheet name="c" sheetId="3" r:id="rId1"/>';
    expect(await cells({ rows: `<row>${inline('First')}</row>`, sheets })).toEqual([['Second']]);
    expect(await reasonOf(workbookOf({ sheets: '<sheet name="a" state="veryHidden" r:id="rId1"/>' }))).toBe('empty');
    const sheet = `<x:worksheet xmlns:x="urn:x"><x:sheetData><x:row><x:c t="str"><x:v>First</x:v></x:c></x:row></x:sheetData></x:worksheet>`;
    expect(await cells({ sheet })).toEqual([['First']]);
  });

  test('a million empty rows and distant empty cells are ignored, and texts in them refused', async () => {
    const empty = '<row r="1048576" s="1"><c r="XFD1048576" s="1"/></row>';
    expect(await reasonOf(workbookOf({ rows: '<row/>'.repeat(1_048_575) + empty }))).toBe('empty');
    expect(await cells({ rows: `<row r="1">${inline('a', 'A1')}</row>${empty}` })).toEqual([['a']]);
    expect(await reasonOf(workbookOf({ rows: `<row r="1048576">${inline('a', 'A1048576')}</row>` }))).toBe(
      'too_many_rows',
    );
    expect(await reasonOf(workbookOf({ rows: `<row r="1">${inline('a', 'XFD1')}</row>` }))).toBe('too_many_columns');
    for (const [line, at] of [
      ['1e9', 'A1'],
      ['-1', 'A1'],
      ['1', 'A2'],
      ['1', 'ZZZZ1'],
      ['1', 'A99999999'],
      ['1', '__proto__'],
    ])
      expect([at, await reasonOf(workbookOf({ rows: `<row r="${line}">${inline('a', at)}</row>` }))]).toEqual([
        at,
        'damaged',
      ]);
    expect(await reasonOf(workbookOf({ rows: '<row r="2"/><row r="1"/>' }))).toBe('damaged');
    expect(await reasonOf(workbookOf({ rows: '<row><c t="s"><v>5</v></c></row>' }))).toBe('damaged');
    expect(await reasonOf(workbookOf({ rows: '<row><c><v>five</v></c></row>' }))).toBe('damaged');
  });
});

describe('an attack', () => {
  const withPart = (name: string, change: Partial<Part>) =>
    zipOf(
      workbookParts({ rows: '<row><c><v>1</v></c></row>' }).map((part) =>
        part.name === name ? { ...part, ...change } : part,
      ),
    );
  const SHEET = 'xl/worksheets/sheet1.xml';

  test('an attack by expanded or external XML entities is refused', async () => {
    const laughs = `<!DOCTYPE a [<!ENTITY a "ha">${Array.from({ length: 20 }, (_, n) => `<!ENTITY a${n} "${`&a${n - 1};`.repeat(10)}">`).join('')}]><worksheet>&a19;</worksheet>`;
    const foreign =
      '<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><worksheet><sheetData><row><c t="str"><v>&x;</v></c></row></sheetData></worksheet>';
    const unknown = '<worksheet><sheetData><row><c t="str"><v>&x;</v></c></row></sheetData></worksheet>';
    for (const sheet of [laughs, foreign, unknown])
      expect(await isolatedReasonOf(workbookOf({ sheet }))).toBe('damaged');
    const outside =
      '<Relationships><Relationship Id="rId1" Type="x/worksheet" Target="http://127.0.0.1/" TargetMode="External"/></Relationships>';
    expect(await reasonOf(withPart('xl/_rels/workbook.xml.rels', { data: outside }))).toBe('empty');
  });

  test('an attack by dense, nested, overlapping, mis-sized, encrypted or truncated archives is refused', async () => {
    const sound = withPart(SHEET, {});
    expect(await isolatedReasonOf(sound)).toEqual([{ line: 1, cells: ['1'] }]);
    expect(await reasonOf(withPart(SHEET, { data: `<worksheet>${' '.repeat(3_000_000)}</worksheet>` }))).toBe(
      'too_large',
    );
    const spread = `<worksheet>${'<a></a>'.repeat(500_000)}</worksheet>`;
    expect(await reasonOf(withPart(SHEET, { data: spread }), { unpackedBytes: 3_000_000 })).toBe('too_large');
    expect(await reasonOf(withPart(SHEET, { data: spread, size: 100 }))).toBe('damaged');
    expect(await reasonOf(zipOf([{ name: 'inner.zip', data: zipOf([{ name: 'inner.zip', data: sound }]) }]))).toBe(
      'unknown_format',
    );
    expect(await reasonOf(withPart('xl/workbook.xml', { data: sound }))).toBe('damaged');
    const parts = workbookParts({});
    expect(await reasonOf(zipOf([...parts, { name: 'xl/again.xml', data: '', of: SHEET }]))).toBe('damaged');
    expect(await reasonOf(zipOf([...parts, { name: '../../etc/cron.d/x', data: 'x' }]))).toBe('damaged');
    expect(await reasonOf(zipOf([...parts, { name: 'XL/Workbook.xml', data: 'x' }]))).toBe('damaged');
    expect(await reasonOf(withPart(SHEET, { flags: 1 }))).toBe('damaged');
    expect(await reasonOf(sound.subarray(0, -30))).toBe('damaged');
    expect(await reasonOf(Buffer.concat([sound.subarray(0, 100), Buffer.alloc(60, 7), sound.subarray(160)]))).toBe(
      'damaged',
    );
  });

  test('an attack by depth, repeated texts or memory ends only its reader', async () => {
    expect(await isolatedReasonOf(workbookOf({ sheet: '<a>'.repeat(200_000) }))).toBe('damaged');
    const shared = {
      texts: `<si><t>${'x'.repeat(32_000)}</t></si>`,
      rows: `<row>${'<c t="s"><v>0</v></c>'.repeat(100)}</row>`.repeat(20),
    };
    expect(await isolatedReasonOf(workbookOf(shared), { unpackedBytes: 10_000_000 })).toBe('too_large');
    const texts = Array.from({ length: 400_000 }, (_, n) => `<si><t>${n} and some more of it</t></si>`).join('');
    expect(
      await isolatedReasonOf(workbookOf({ texts, rows: '<row><c t="s"><v>0</v></c></row>' }), { megabytes: 16 }),
    ).toBe('too_large');
  });

  test('a consumer that stops ends the reader, and a slow one gets all rows', async () => {
    writeFileSync(file, `a,b\n${'1,2\n'.repeat(40_000)}`);
    for await (const batch of readTable(file)) {
      expect(batch).toHaveLength(500);
      expect(readers()).toHaveLength(1);
      break;
    }
    expect(readers().filter(({ exitCode, signalCode }) => exitCode === null && signalCode === null)).toHaveLength(0);
    expect(await all(readTable(file))).toHaveLength(40_001);
  });
});
