/** Multipart bodies with one file, processed as a stream: no file is ever in memory or on disk as a whole. */
import busboy, { type Busboy } from 'busboy';
import type { Request, RequestHandler } from 'express';
import type { Readable } from 'node:stream';
import { Shares } from '../../models/database/shares.js';
import { invalid, refuse } from '../../models/errors.js';
import { httpErrors } from './errorHandler.js';
import { cutOffSoon } from './intake.js';

export interface UploadedFile {
  /** As sent by the client, without folders and control characters. */
  name: string;
  bytes: Readable;
}

/** The name of the form's only field. */
const FIELD = 'file';
const LONGEST_NAME = 200;

/** Concurrent uploads, overall and per organization: each holds some megabytes. */
const uploads = new Shares({ places: 8, share: 3, reserve: 2, mostWaiting: 8, waitMs: 5_000 });

/** Does not read the rest of a refused upload. */
export const leaveUnread: RequestHandler = (request, response, next) => {
  response.once('finish', () => cutOffSoon(request));
  next();
};

/** Hands the file to `take` while it arrives, and waits for both. */
export async function receiveFile<T>(
  request: Request,
  claimant: string,
  mostBytes: number,
  take: (file: UploadedFile) => Promise<T>,
): Promise<T> {
  const parser = parserOf(request, mostBytes);
  const release = await uploads.take(claimant);
  try {
    return await parsed(request, parser, take);
  } finally {
    release();
  }
}

function parserOf(request: Request, mostBytes: number): Busboy {
  try {
    // busboy calls a file too large when it has exactly the limit.
    const limits = { files: 1, fields: 0, parts: 3, fileSize: mostBytes + 1 };
    return busboy({ headers: request.headers, limits, defParamCharset: 'utf8' });
  } catch {
    throw refuse.unsupported_media_type('Send multipart/form-data.');
  }
}

async function parsed<T>(request: Request, parser: Busboy, take: (file: UploadedFile) => Promise<T>): Promise<T> {
  let file: Readable | undefined;
  let taken: Promise<T> | undefined;
  const whole = new Promise<void>((resolve, reject) => {
    const fail = (error: Error) => {
      request.unpipe(parser).resume();
      file?.destroy(error);
      reject(error);
    };
    const tooMany = () => fail(invalid(FIELD, 'Send one file, and nothing else.'));
    const onBreak = () => fail(httpErrors.malformed_request('The request ended early.'));
    parser
      .on('file', (field, stream, { filename }) => {
        file = stream;
        stream.once('limit', () => fail(refuse.body_too_large()));
        // The reader receives the error; until one exists, nothing listens.
        stream.on('error', () => undefined);
        if (field !== FIELD) return fail(invalid(field, 'Unknown field.'));
        taken = take({ name: nameOf(filename), bytes: stream });
        taken.catch(fail);
      })
      .on('filesLimit', tooMany)
      .on('fieldsLimit', tooMany)
      .once('error', () => fail(httpErrors.malformed_request('This is no multipart/form-data.')))
      .once('close', resolve);
    request.once('close', () => request.complete || onBreak()).once('error', onBreak);
    request.pipe(parser);
  });
  const [ended, result] = await Promise.allSettled([whole, whole.then(() => taken)]);
  // Wait for the consumer before reporting the error.
  await taken?.catch(() => undefined);
  if (ended.status === 'rejected') throw ended.reason;
  if (result.status === 'rejected') throw result.reason;
  if (taken === undefined) throw invalid(FIELD, 'Send a file.');
  return taken;
}

function nameOf(given: string | undefined): string {
  const bare = (given ?? '').split(/[\\/]/).at(-1) ?? '';
  // Keeps the end, which has the extension; the class also removes a surrogate half left by the cut.
  return bare.slice(-LONGEST_NAME).replaceAll(/\p{C}/gu, '').trim() || FIELD;
}
