/**
 * A streaming XML parser. Document types are refused, so there are no entities but the predefined ones, and nothing is
 * ever fetched.
 */
import { SaxesParser } from 'saxes';
import { TableUnreadable } from '../table.js';

export interface XmlHandlers {
  /** Called for each start tag. Names are given without their prefix. */
  open?(name: string, attribute: (name: string) => string | undefined): void;
  text?(text: string): void;
  close?(name: string): void;
}

/** The maximum size of a text, a tag or a comment, which the parser buffers as a whole. */
const MAX_TOKEN_BYTES = 1_000_000;
const MAX_DEPTH = 100;

/**
 * Parses XML, and yields after each chunk, so that the caller can pass on what was read.
 * @throws TableUnreadable
 */
export async function* parseXml(bytes: AsyncIterable<Buffer>, handlers: XmlHandlers): AsyncGenerator<void> {
  const damaged = (): never => {
    throw new TableUnreadable('damaged');
  };
  const parser = new SaxesParser();
  let [depth, piece] = [0, 0];
  const onText = (text: string): void => {
    piece = 0;
    handlers.text?.(text);
  };
  parser.on('error', damaged);
  parser.on('doctype', damaged);
  parser.on('text', onText);
  parser.on('cdata', onText);
  parser.on('opentag', ({ name, attributes }) => {
    piece = 0;
    depth += 1;
    if (depth > MAX_DEPTH) damaged();
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
    if (piece > MAX_TOKEN_BYTES) throw new TableUnreadable('too_large');
    yield;
  }
  parser.write(decoded(decoder));
  parser.close();
}

/**
 * Parses a whole document.
 * @throws TableUnreadable
 */
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
