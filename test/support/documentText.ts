/** The text of a document of any format, roughly and in no order, for tests that look for forbidden texts. */
import { inflateSync } from 'node:zlib';
import { fromBufferPromise } from 'yauzl';

/** The whole text of JSON, tables and pages, the glyphs of a PDF, or the unpacked parts of a workbook. */
export async function documentText(bytes: Buffer): Promise<string> {
  const start = bytes.subarray(0, 4).toString('latin1');
  if (start === '%PDF') return spelled(bytes);
  return start === 'PK\u0003\u0004' ? unpacked(bytes) : bytes.toString('utf8');
}

const unpacked = async (bytes: Buffer): Promise<string> => [...(await partsOf(bytes)).values()].join('\n');

/** The unpacked files of an archive, by name. */
export async function partsOf(bytes: Buffer): Promise<Map<string, string>> {
  const archive = await fromBufferPromise(bytes);
  const parts = new Map<string, string>();
  for await (const entry of archive.eachEntry()) {
    const chunks: Buffer[] = [];
    for await (const chunk of await archive.openReadStreamPromise(entry)) chunks.push(chunk as Buffer);
    parts.set(entry.fileName, Buffer.concat(chunks).toString('utf8'));
  }
  return parts;
}

/** Each font numbers its own glyphs: every text is decoded with every font. */
function spelled(bytes: Buffer): string {
  const streams = streamsOf(bytes);
  const fonts = streams.filter((text) => text.includes('begincmap')).map(glyphsOf);
  const shown = streams.flatMap((text) => [
    ...text.matchAll(/\[([^\]]*)\]\s*TJ|(<[0-9a-f]+>|\((?:\\.|[^)\\])*\))\s*Tj/gi),
  ]);
  const plain = [...bytes.toString('latin1').matchAll(/\((?:\\.|[^)\\])*\)/g)].map(([text]) => text);
  return [...plain, ...shown.flatMap(([, several, one]) => readings(several ?? one ?? '', fonts))].join('\n');
}

function streamsOf(bytes: Buffer): string[] {
  const found: string[] = [];
  for (let at = bytes.indexOf('stream\n'); at !== -1; at = bytes.indexOf('stream\n', at + 1)) {
    const end = bytes.indexOf('endstream', at);
    const stream = bytes.subarray(at + 7, end === -1 ? undefined : end);
    try {
      found.push(inflateSync(stream).toString('latin1'));
    } catch {
      found.push(stream.toString('latin1'));
    }
  }
  return found;
}

type Glyphs = Map<number, string>;

function glyphsOf(map: string): Glyphs {
  const glyphs: Glyphs = new Map();
  const number = (hex: string) => Number.parseInt(hex, 16);
  const word = (hex: string) => Buffer.from(hex, 'hex').swap16().toString('utf16le');
  for (const [, block = ''] of map.matchAll(/beginbfrange([\s\S]*?)endbfrange/g))
    for (const [, from = '', , list, first = ''] of block.matchAll(/<(\w+)>\s*<(\w+)>\s*(?:\[([^\]]*)\]|<(\w+)>)/g)) {
      // A ligature stands for several letters.
      const words = list ? [...list.matchAll(/<([\w ]+)>/g)].map(([, hex = '']) => hex.replaceAll(' ', '')) : [first];
      words.forEach((hex, n) => glyphs.set(number(from) + n, hex.length % 4 === 0 ? word(hex) : ''));
    }
  for (const [, block = ''] of map.matchAll(/beginbfchar([\s\S]*?)endbfchar/g))
    for (const [, from = '', to = ''] of block.matchAll(/<(\w+)>\s*<(\w+)>/g))
      glyphs.set(number(from), to.length % 4 === 0 ? word(to) : '');
  return glyphs;
}

function readings(text: string, fonts: readonly Glyphs[]): string[] {
  const parts = [...text.matchAll(/<([0-9a-f]+)>|\(((?:\\.|[^)\\])*)\)/gi)];
  const bytes = parts
    .map(([, hex, plain]) => (hex === undefined ? (plain ?? '') : Buffer.from(hex, 'hex').toString('latin1')))
    .join('');
  const glyphs = parts.flatMap(([, hex = '']) => hex.match(/.{4}/g) ?? []).map((hex) => Number.parseInt(hex, 16));
  return [bytes, ...fonts.map((font) => glyphs.map((glyph) => font.get(glyph) ?? ' ').join(''))];
}
