/** Multipart bodies with one file, processed as a stream: no file is ever in memory or on disk as a whole. */
import busboy, { type Busboy } from 'busboy';
import type { Request, RequestHandler } from 'express';
import type { Readable } from 'node:stream';
import { FairSemaphore } from '../../models/database/fairSemaphore.js';
import { invalid, refuse } from '../../models/errors.js';
import { httpErrors } from './errorHandler.js';
import { closeAfterLinger } from './boundedBody.js';

export interface UploadedFile {
  /** Name of the file as sent by the client, without folders and control characters. */
  name: string;
  /** Media type that the client declares, in lower case and without parameters. */
  mediaType: string;
  bytes: Readable;
}

/** The name of the form's only field. */
const FIELD = 'file';
const MAX_NAME_LENGTH = 200;

/** Concurrent uploads, overall and per organization: each holds some megabytes. */
const uploads = new FairSemaphore({ slots: 8, maxPerTenant: 3, reserve: 2, maxQueued: 8, waitMs: 5_000 });

/** Does not read the rest of a refused upload. */
export const leaveUnread: RequestHandler = (request, response, next) => {
  response.once('finish', () => closeAfterLinger(request));
  next();
};

/** Passes the file to `consume` while it arrives, and waits until the form and `consume` have ended. */
export async function receiveFile<T>(
  request: Request,
  claimant: string,
  maxBytes: number,
  consume: (file: UploadedFile) => Promise<T>,
): Promise<T> {
  const parser = parserOf(request, maxBytes);
  const release = await uploads.acquire(claimant);
  try {
    return await parseUpload(request, parser, consume);
  } finally {
    release();
  }
}

function parserOf(request: Request, maxBytes: number): Busboy {
  try {
    // busboy calls a file too large when it has exactly the limit, so the limit is one byte more.
    const limits = { files: 1, fields: 0, parts: 3, fileSize: maxBytes + 1 };
    return busboy({ headers: request.headers, limits, defParamCharset: 'utf8' });
  } catch {
    throw refuse.unsupported_media_type('Send multipart/form-data.');
  }
}

async function parseUpload<T>(
  request: Request,
  parser: Busboy,
  consume: (file: UploadedFile) => Promise<T>,
): Promise<T> {
  let file: Readable | undefined;
  let consumed: Promise<T> | undefined;
  const received = new Promise<void>((resolve, reject) => {
    const fail = (error: Error) => {
      request.unpipe(parser).resume();
      file?.destroy(error);
      reject(error);
    };
    const tooMany = () => fail(invalid(FIELD, 'Send one file, and nothing else.'));
    const onBreak = () =>
      fail(httpErrors.malformed_request('The request ended before its whole body arrived. Send it again.'));
    parser
      .on('file', (field, stream, { filename, mimeType }) => {
        file = stream;
        stream.once('limit', () => fail(refuse.body_too_large()));
        // Errors are reported to the reader of the stream. Until there is a reader, this listener keeps an error from
        // ending the process.
        stream.on('error', () => undefined);
        if (field !== FIELD) return fail(invalid(field, 'Unknown field.'));
        consumed = consume({ name: nameOf(filename), mediaType: mimeType.toLowerCase(), bytes: stream });
        consumed.catch(fail);
      })
      .on('filesLimit', tooMany)
      .on('fieldsLimit', tooMany)
      .once('error', () => fail(httpErrors.malformed_request('The request body must be multipart/form-data.')))
      .once('close', resolve);
    request.once('close', () => request.complete || onBreak()).once('error', onBreak);
    request.pipe(parser);
  });
  const [parsing, result] = await Promise.allSettled([received, received.then(() => consumed)]);
  // Wait for the consumer before reporting the error.
  await consumed?.catch(() => undefined);
  if (parsing.status === 'rejected') throw parsing.reason;
  if (result.status === 'rejected') throw result.reason;
  if (consumed === undefined) throw invalid(FIELD, 'Send a file.');
  return consumed;
}

function nameOf(filename: string | undefined): string {
  const bare = (filename ?? '').split(/[\\/]/).at(-1) ?? '';
  // Keep the end of a long name, which has the extension. The class also removes half of a surrogate pair, which the
  // cut may leave.
  return bare.slice(-MAX_NAME_LENGTH).replaceAll(/\p{C}/gu, '').trim() || FIELD;
}
