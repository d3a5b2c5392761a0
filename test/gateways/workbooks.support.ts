/** Workbooks and archives for the tests, written byte by byte, so that they can be wrong in any way. */
import { crc32, deflateRawSync } from 'node:zlib';

export interface Part {
  name: string;
  data: Buffer | string;
  /** The size to which it claims to unpack. */
  size?: number;
  /** Bit 0: encrypted. */
  flags?: number;
  /** Shares the bytes of the part of this name. */
  of?: string;
}

export function zipOf(parts: readonly Part[]): Buffer {
  const places = new Map<string, { offset: number; packed: Buffer; data: Buffer }>();
  const local: Buffer[] = [];
  let offset = 0;
  for (const { name, data, of, flags = 0 } of parts) {
    if (of !== undefined) continue;
    const bytes = Buffer.from(data);
    const packed = deflateRawSync(bytes, { level: 9 });
    const header = headerOf('504b0304', 30, [
      [4, 20],
      [6, flags],
      [8, 8],
      [26, Buffer.byteLength(name)],
    ]);
    places.set(name, { offset, packed, data: bytes });
    local.push(header, Buffer.from(name), packed);
    offset += 30 + Buffer.byteLength(name) + packed.length;
  }
  const central = parts.flatMap(({ name, of, size, flags = 0 }) => {
    const place = places.get(of ?? name);
    if (!place) throw new Error(`${of} is not there.`);
    const header = headerOf('504b0102', 46, [
      [4, 20],
      [6, 20],
      [8, flags],
      [10, 8],
      [28, Buffer.byteLength(name)],
    ]);
    header.writeUInt32LE(crc32(place.data), 16);
    header.writeUInt32LE(place.packed.length, 20);
    header.writeUInt32LE(size ?? place.data.length, 24);
    header.writeUInt32LE(place.offset, 42);
    return [header, Buffer.from(name)];
  });
  const end = headerOf('504b0506', 22, [
    [8, parts.length],
    [10, parts.length],
  ]);
  end.writeUInt32LE(Buffer.concat(central).length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...local, ...central, end]);
}

function headerOf(mark: string, length: number, numbers: [at: number, value: number][]): Buffer {
  const header = Buffer.alloc(length);
  header.write(mark, 'hex');
  for (const [at, value] of numbers) header.writeUInt16LE(value, at);
  return header;
}

const MAIN = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"';
const TYPES = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const OF = `${MAIN} xmlns:r="${TYPES}"`;
const relations = (...targets: [type: string, target: string][]) =>
  `<Relationships>${targets.map(([type, target], n) => `<Relationship Id="rId${n + 1}" Type="${TYPES}/${type}" Target="${target}"/>`).join('')}</Relationships>`;

export interface WorkbookParts {
  /** The content of sheetData. */
  rows?: string;
  sheet?: string;
  texts?: string;
  /** Number formats; cells have them as styles 1, 2, … */
  formats?: readonly string[];
  since1904?: boolean;
  sheets?: string;
}

export function workbookParts({
  rows = '',
  sheet,
  texts = '',
  formats = [],
  since1904,
  sheets,
}: WorkbookParts): Part[] {
  const tabs = sheets ?? '<sheet name="People" sheetId="1" r:id="rId1"/>';
  return [
    { name: '[Content_Types].xml', data: '<Types/>' },
    { name: '_rels/.rels', data: relations(['officeDocument', 'xl/workbook.xml']) },
    {
      name: 'xl/workbook.xml',
      data: `<workbook ${OF}><workbookPr${since1904 ? ' date1904="1"' : ''}/><sheets>${tabs}</sheets></workbook>`,
    },
    {
      name: 'xl/_rels/workbook.xml.rels',
      data: relations(
        ['worksheet', 'worksheets/sheet1.xml'],
        ['styles', 'styles.xml'],
        ['sharedStrings', '/xl/sharedStrings.xml'],
        ['worksheet', 'worksheets/sheet2.xml'],
      ),
    },
    {
      name: 'xl/styles.xml',
      data: `<styleSheet ${MAIN}><numFmts>${formats.map((code, n) => `<numFmt numFmtId="${164 + n}" formatCode="${code.replaceAll('"', '&quot;')}"/>`).join('')}</numFmts><cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs><xf numFmtId="0"/>${formats.map((_, n) => `<xf numFmtId="${164 + n}"/>`).join('')}<xf numFmtId="14"/></cellXfs></styleSheet>`,
    },
    { name: 'xl/sharedStrings.xml', data: `<sst ${MAIN}>${texts}</sst>` },
    {
      name: 'xl/worksheets/sheet1.xml',
      data: sheet ?? `<worksheet ${MAIN}><sheetData>${rows}</sheetData></worksheet>`,
    },
    {
      name: 'xl/worksheets/sheet2.xml',
      data: `<worksheet ${MAIN}><sheetData><row><c t="inlineStr"><is><t>Second</t></is></c></row></sheetData></worksheet>`,
    },
  ];
}

export const workbookOf = (parts: WorkbookParts): Buffer => zipOf(workbookParts(parts));
