/** Responses of the storage in S3's XML format. */
import type { Answer } from '../kit/exchange.js';

const STATUS: Record<string, number> = {
  NotImplemented: 501,
  NoSuchKey: 404,
  NoSuchBucket: 404,
  NoSuchUpload: 404,
  NoSuchEntity: 404,
  ServerSideEncryptionConfigurationNotFoundError: 404,
  NoSuchPublicAccessBlockConfiguration: 404,
  EntityAlreadyExists: 409,
  LimitExceeded: 409,
  BucketAlreadyExists: 409,
  BucketAlreadyOwnedByYou: 409,
  MalformedPolicyDocument: 400,
  XAmzContentSHA256Mismatch: 400,
};

export const xml = (status: number, body: string, headers: Record<string, string> = {}): Answer => ({
  status,
  body: `<?xml version="1.0" encoding="UTF-8"?>\n${body}`,
  headers: { 'Content-Type': 'application/xml', ...headers },
});

export const refused = (code: string): Answer =>
  xml(STATUS[code] ?? 403, `<Error><Code>${code}</Code><Message>${code}</Message></Error>`);

/** Returns an error in the format of the identity service. */
export const refusedIdentity = (code: string): Answer =>
  xml(
    STATUS[code] ?? 403,
    `<ErrorResponse><Error><Type>Sender</Type><Code>${code}</Code><Message>${code}</Message></Error></ErrorResponse>`,
  );

export const nothing = (status: number, headers: Record<string, string> = {}): Answer => ({
  status,
  body: '',
  headers,
});
