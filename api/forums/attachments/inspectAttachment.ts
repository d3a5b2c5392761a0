/** Checks the content of an attachment while it is uploaded. */
import { Readable } from 'node:stream';
import { findOfficeProblem, type OfficeProblem } from '../../../gateways/archives/officeDocument.js';
import { refuse } from '../../../models/errors.js';
import { HEAD_BYTES, mediaTypeOf, SPREADSHEET, UPLOAD_RULES } from '../../../models/organizations/files/purposes.js';
import { type InspectedStream, inspectStream } from '../../organizations/files/inspectStream.js';
import { reencodeImage } from '../../organizations/files/reencodeImage.js';
import { type AttachmentType, refuseType } from './attachmentTypes.js';

/** Number of bytes at the end of a PDF in which the directory of an archive (ZIP) is looked for. */
const TAIL_BYTES = 66 * 1024;
const END_OF_ARCHIVE = Buffer.from('504b0506', 'hex');
/** Beginnings of HTML, XML, SVG and PHP, and elements that load or run something. */
const MARKUP =
  /<(?:!doctype|!--|!\[cdata|\?xml|\?php|\/?(?:html|head|body|script|style|svg|math|iframe|frame|object|embed|applet|link|meta|base|form|img|video|audio|template|foreignobject)(?![\w-]))/i;
const BEGINS_AS_MARKUP = /^\s*<[a-z!?/]/i;
/** A control character, except tabs and ends of lines and pages. */
const CONTROL_CHARACTER = /[^\P{Cc}\s]/u;
/** Characters of a chunk that are looked at again with the next one. Longer than what MARKUP matches. */
const OVERLAP = 32;

const OFFICE_MESSAGES: Readonly<Record<OfficeProblem, string | undefined>> = {
  macros: 'This document has macros. Save it without them.',
  too_large: 'This document is too large when it is unpacked.',
  other: undefined,
};

/**
 * Returns a stream that passes the bytes of an attachment on if its content is of the type. A picture is re-encoded.
 * @param organizationId organization by which waiting pictures are scheduled fairly
 */
export function inspectAttachment(bytes: Readable, type: AttachmentType, organizationId: string): InspectedStream {
  const { maxBytes, maxSide } = UPLOAD_RULES[type.purpose];
  const checked = Readable.from(CHECKS[type.check](startingAs(type, limited(bytes, maxBytes)), type), {
    objectMode: false,
  });
  if (maxSide) return reencodeImage(checked, [type.mediaType], organizationId, maxSide);
  const { checked: passed, facts } = inspectStream(checked, [contentTypeOf(type)]);
  return { checked: passed, facts: () => ({ ...facts(), media_type: type.mediaType }) };
}

type Chunks = AsyncIterable<Buffer>;
type Check = (chunks: Chunks, type: AttachmentType) => Chunks;

/** The media type that `mediaTypeOf` finds for files of the type. */
function contentTypeOf({ check, mediaType }: AttachmentType): string {
  if (check === 'office') return SPREADSHEET;
  return check === 'text' ? 'text/csv' : mediaType;
}

async function* limited(chunks: Chunks, maxBytes: number): AsyncGenerator<Buffer> {
  let size = 0;
  for await (const chunk of chunks) {
    size += chunk.length;
    if (size > maxBytes) throw refuse.body_too_large();
    yield chunk;
  }
}

/** Passes the bytes on if the first ones are of the type. */
async function* startingAs(type: AttachmentType, chunks: Chunks): AsyncGenerator<Buffer> {
  let head: Buffer | null = Buffer.alloc(0);
  const requireType = (beginning: Buffer) => {
    if (mediaTypeOf(beginning.subarray(0, HEAD_BYTES)) !== contentTypeOf(type)) throw refuseType();
    // Readers of PDF accept a file whose first bytes are something else.
    if (type.purpose === 'forum_document' && type.check !== 'pdf' && beginning.includes('%PDF-')) throw refuseType();
    return beginning;
  };
  for await (const chunk of chunks) {
    if (head === null) {
      yield chunk;
      continue;
    }
    head = Buffer.concat([head, chunk]);
    if (head.length < 2 * HEAD_BYTES) continue;
    yield requireType(head);
    head = null;
  }
  if (head !== null) yield requireType(head);
}

const CHECKS: Readonly<Record<AttachmentType['check'], Check>> = {
  image: (chunks) => chunks,

  /** Refuses a PDF that is an archive, too. */
  async *pdf(chunks) {
    let tail = Buffer.alloc(0);
    for await (const chunk of chunks) {
      tail = Buffer.concat([tail, chunk]).subarray(-TAIL_BYTES);
      yield chunk;
    }
    if (tail.includes(END_OF_ARCHIVE)) throw refuseType();
  },

  /** Collects the whole document, because the directory of the archive is at its end. */
  async *office(chunks, { mediaType }) {
    const parts: Buffer[] = [];
    for await (const chunk of chunks) parts.push(chunk);
    const document = Buffer.concat(parts);
    const problem = await findOfficeProblem(document, mediaType);
    if (problem) throw refuseType(OFFICE_MESSAGES[problem]);
    yield document;
  },

  async *text(chunks) {
    let decoder: TextDecoder | undefined;
    let last = '';
    for await (const chunk of chunks) {
      const isBeginning = decoder === undefined;
      decoder ??= new TextDecoder(encodingOf(chunk));
      const text = last + decoder.decode(chunk, { stream: true });
      if (CONTROL_CHARACTER.test(text)) throw refuseType();
      if (MARKUP.test(text) || (isBeginning && BEGINS_AS_MARKUP.test(text)))
        throw refuseType('A text file must not have HTML or XML in it.');
      last = text.slice(-OVERLAP);
      yield chunk;
    }
  },
};

/** Returns the encoding of a text by its byte order mark. */
function encodingOf(head: Buffer): string {
  if (head[0] === 0xff && head[1] === 0xfe) return 'utf-16le';
  return head[0] === 0xfe && head[1] === 0xff ? 'utf-16be' : 'utf-8';
}
