/** Multipart bodies with one file, taken in as their bytes come: no file is ever in memory or on disk as a whole. */
import busboy, { type Busboy } from 'busboy';
import type { Request, RequestHandler } from 'express';
import type { Readable } from 'node:stream';
import { Shares } from '../../models/database/shares.js';
import { invalid, refuse } from '../../models/errors.js';
import { httpErrors } from './errorHandler.js';
import { cutOffSoon } from './intake.js';

export interface UploadedFile {
  /** As its sender calls it, without folders and control characters. */
  name: string;
  bytes: Readable;
}

/** The name of the form's only field. */
const FIELD = 'file';
const LONGEST_NAME = 200;

/** Uploads under way at once, of all organizations and of one: each holds some megabytes. */
const uploads = new Shares({ places: 8, share: 3, reserve: 2, mostWaiting: 8, waitMs: 5_000 });

/** What is left of an upload that was refused is not read. */
export const leaveUnread: RequestHandler = (request, response, next) => {
  response.once('finish', () => cutOffSoon(request));
  next();
};

/**
 * Hands the file to `take` while it comes in, and waits for both.
 * @param claimant whose uploads share their places
 * @throws Refusal unsupported_media_type, body_too_large, malformed_request, validation_error, busy; what `take` throws
 */
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
    // It calls a file too large that is as large as the limit.
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
        // Whoever reads it hears of it; until then nobody listens.
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
  // Whoever took it is done with it, too, before anybody is told.
  await taken?.catch(() => undefined);
  if (ended.status === 'rejected') throw ended.reason;
  if (result.status === 'rejected') throw result.reason;
  if (taken === undefined) throw invalid(FIELD, 'Send a file.');
  return taken;
}

function nameOf(given: string | undefined): string {
  const bare = (given ?? '').split(/[\\/]/).at(-1) ?? '';
  // The end says what kind it is; half a character, which the cut may leave, is of this class, too.
  return bare.slice(-LONGEST_NAME).replaceAll(/\p{C}/gu, '').trim() || FIELD;
}
