/** XML read as it comes. No document type, so no entities but XML's own; nothing is ever fetched. */
import { SaxesParser } from 'saxes';
import { TableUnreadable } from '../table.js';

export interface XmlHandlers {
  /** Names are without their prefixes. */
  open?(name: string, attribute: (name: string) => string | undefined): void;
  text?(text: string): void;
  close?(name: string): void;
}

/** Of a text, a tag, a comment: the parser holds them as a whole. */
const PIECE_BYTES = 1_000_000;
const DEPTH = 100;

/** Gives control back after each chunk, so that what was made of it can go on its way. @throws TableUnreadable */
export async function* parseXml(bytes: AsyncIterable<Buffer>, handlers: XmlHandlers): AsyncGenerator<void> {
  const damaged = (): never => {
    throw new TableUnreadable('damaged');
  };
  const parser = new SaxesParser();
  let [depth, piece] = [0, 0];
  const heard = (text: string): void => {
    piece = 0;
    handlers.text?.(text);
  };
  parser.on('error', damaged);
  parser.on('doctype', damaged);
  parser.on('text', heard);
  parser.on('cdata', heard);
  parser.on('opentag', ({ name, attributes }) => {
    piece = 0;
    depth += 1;
    if (depth > DEPTH) damaged();
    handlers.open?.(localName(name), (wanted) => attributes[wanted]);
  });
  parser.on('closetag', ({ name }) => {
    piece = 0;
    depth -= 1;
    handlers.close?.(localName(name));
  });
  const decoder = new TextDecoder('utf-8', { fatal: true });
  for await (const chunk of bytes) {
    parser.write(decoded(decoder, chunk));
    piece += chunk.length;
    if (piece > PIECE_BYTES) throw new TableUnreadable('too_large');
    yield;
  }
  parser.write(decoded(decoder));
  parser.close();
}

/** Reads all of it. @throws TableUnreadable */
export async function readXml(bytes: AsyncIterable<Buffer>, handlers: XmlHandlers): Promise<void> {
  const pieces = parseXml(bytes, handlers);
  while (!(await pieces.next()).done);
}

const localName = (name: string): string => name.slice(name.indexOf(':') + 1);

function decoded(decoder: TextDecoder, chunk?: Buffer): string {
  try {
    return chunk ? decoder.decode(chunk, { stream: true }) : decoder.decode();
  } catch {
    throw new TableUnreadable('damaged');
  }
}
