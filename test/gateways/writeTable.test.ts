/** Tables as files: their contents are data, and stay data in the program that opens them. */
import { inflateRawSync } from 'node:zlib';
import type { Batch, TableColumn } from '../../gateways/tables/columns.js';
import { TABLE_FORMATS, type TableFormat, writeTable } from '../../gateways/tables/writeTable.js';

const COLUMNS: TableColumn[] = [
  { title: 'Name', type: 'text' },
  { title: 'Joined', type: 'day' },
  { title: 'Line', type: 'number' },
];
const FORMULAS = [
  '=1+1',
  '+1 555 0100',
  '-Smith',
  '@home',
  '\t=1',
  '\r=1',
  '\n=1',
  '＝1+1',
  '＋1',
  '－1',
  '＠x',
  "'=1",
  "''+1",
];

async function* batches(...all: Batch[]): AsyncGenerator<Batch> {
  yield* all;
}
const written = async (format: TableFormat, ...all: Batch[]) =>
  Buffer.concat(await writeTable(format, COLUMNS, batches(...all)).toArray());
/** The sheet of a workbook: the last of its parts. */
async function sheet(...all: Batch[]): Promise<string> {
  const zip = await written('xlsx', ...all);
  const at = zip.indexOf('xl/worksheets/sheet1.xml');
  return inflateRawSync(zip.subarray(at + zip.readUInt16LE(at - 4) + zip.readUInt16LE(at - 2))).toString();
}

test('CSV is UTF-8 with a byte order mark, with lines as in RFC 4180', async () => {
  const csv = await written('csv', [['März, "Jo"', '2025-03-01', 7]], [['two\nlines', null, null]]);
  expect(csv.toString()).toBe('\uFEFFName,Joined,Line\r\n"März, ""Jo""",2025-03-01,7\r\n"two\nlines",,\r\n');
});

test('a workbook has dates as dates, numbers as numbers and everything else as text', async () => {
  const xml = await sheet([
    ['A & <b>\u0001 _x0041_', '2025-03-01', 7],
    [null, '1899-05-01', -0.5],
  ]);
  expect(xml.match(/<c .*?<\/c>/g)?.slice(3)).toEqual([
    '<c r="A2" s="1" t="inlineStr"><is><t xml:space="preserve">A &amp; &lt;b&gt; _x005F_x0041_</t></is></c>',
    '<c r="B2" s="2"><v>45717</v></c>',
    '<c r="C2"><v>7</v></c>',
    // Before the calendar of workbooks.
    '<c r="B3" s="1" t="inlineStr"><is><t xml:space="preserve">1899-05-01</t></is></c>',
    '<c r="C3"><v>-0.5</v></c>',
  ]);
});

test.each(FORMULAS)('%j is written as text and not as a formula, also in a title', async (text) => {
  const csv = Buffer.concat(
    await writeTable('csv', [{ title: text, type: 'text' }], batches([[text]])).toArray(),
  ).toString();
  for (const cell of csv.slice(1).split('\r\n').filter(Boolean)) expect(cell).toMatch(/^"?'/);
  const xml = await sheet([[text, null, null]]);
  expect(xml).not.toContain('<f');
  expect(xml).toContain('<c r="A2" s="1" t="inlineStr">');
});

test.each(TABLE_FORMATS)(
  'rows that fail end the bytes of %s, and a consumer that stops releases the rows',
  async (format) => {
    async function* failing(): AsyncGenerator<Batch> {
      yield [['a', null, 1]];
      throw new Error('The rows are gone.');
    }
    await expect(writeTable(format, COLUMNS, failing()).toArray()).rejects.toThrow('The rows are gone.');
    let rowsRead = 0;
    const isLetGo = new Promise<void>((resolve) => {
      async function* endless(): AsyncGenerator<Batch> {
        try {
          for (;;) yield [[`${Math.random()}`, null, rowsRead++]];
        } finally {
          resolve();
        }
      }
      const bytes = writeTable(format, COLUMNS, endless());
      bytes.on('data', () => rowsRead > 100 && bytes.destroy());
    });
    await isLetGo;
    expect(rowsRead).toBeLessThan(100_000);
  },
);
