/**
 * A store that speaks S3, as far as the platform does, with users and keys: signatures and policies are checked, objects are files,
 * and it can be made to fail.
 */
import { mkdirSync } from 'node:fs';
import type http from 'node:http';
import path from 'node:path';
import { listen } from '../kit/listen.js';
import type { Answer, Exchange } from '../kit/exchange.js';
import { nothing, refused, refusedIdentity, xml } from './answers.js';
import { bucketAnswer, Buckets } from './buckets.js';
import { actionOf, type Call, Calls, permissionFor } from './calls.js';
import { Identities } from './identities.js';
import { identityAnswer } from './identityCalls.js';
import type { Objects } from './objects.js';
import { type Credentials, signerOf } from './signatures.js';

/** A bucket, and the key that opens it and no other. */
export interface Bucket extends Credentials {
  bucket: string;
}

export interface StorageStandinOptions {
  /** 0 takes a free one. */
  port: number;
  folder: string;
  /** The first one is the platform's. */
  buckets: readonly [Bucket, ...Bucket[]];
  /** Who may make buckets, users and keys. */
  provisioner: Credentials;
  log?: (line: string) => void;
  /** The clock, in milliseconds. */
  now?: () => number;
}

/** A status; `lost`, when the work is done and the connection drops; or `held`, when it is done and no answer ever comes. */
export type Fault = number | 'lost' | 'held';

export interface StorageStandin {
  url: string;
  /** Of the first bucket. */
  objects: Objects;
  /** Of any of them. */
  objectsIn(bucket: string): Objects;
  /** Whose keys open what was provisioned. */
  identities: Identities;
  /** A bucket of this name is somebody else's from now on. */
  take(bucket: string): void;
  /** A key that is known no more from now on. @returns what makes it known again */
  revoke(accessKeyId: string): () => void;
  /** What was asked by signatures that hold, in its order. */
  calls(): readonly Call[];
  /** The next requests get no other answer. @param action only those that ask for this */
  fail(fault: Fault, times: number, action?: string): void;
  close(): Promise<void>;
}

const HOST = '127.0.0.1';

/** Whose key it is: a bucket's, the one that provisions, or a user's. */
type Signer = Credentials & { bucket?: string; provisions?: true; user?: string };

/** Resolves once it listens. */
export async function startStorageStandin(options: StorageStandinOptions): Promise<StorageStandin> {
  const { folder, log = () => {}, now = Date.now } = options;
  const [{ bucket: first }] = options.buckets;
  mkdirSync(folder, { recursive: true });
  const buckets = new Buckets(
    folder,
    options.buckets.map(({ bucket }) => bucket),
  );
  const identities = new Identities(path.join(folder, 'identities.json'));
  const calls = new Calls();
  const revoked = new Set<string>();
  const faults: { fault: Fault; action: string | undefined }[] = [];
  const known = (): Signer[] =>
    [...options.buckets, { ...options.provisioner, provisions: true as const }, ...identities.activeKeys()].filter(
      ({ accessKeyId }) => !revoked.has(accessKeyId),
    );

  const asked = async (
    exchange: Exchange,
  ): Promise<{ action: string; answer: () => Answer | Promise<Answer | undefined> }> => {
    const { pathname } = exchange.url;
    if (pathname === '/' && exchange.method === 'POST') {
      const form = new URLSearchParams(await exchange.text());
      return { action: form.get('Action') ?? '', answer: () => askedOfIdentities(exchange, form) };
    }
    const [, bucket = '', ...rest] = pathname.split('/').map(decodeURIComponent);
    const action = actionOf(exchange, rest.join('/'));
    return { action, answer: () => askedOfBuckets(exchange, action, bucket, rest.join('/')) };
  };

  const askedOfIdentities = (exchange: Exchange, form: URLSearchParams): Answer => {
    const signer = signerOf(exchange.request, known(), now(), 'iam');
    // The identity service has a word of its own for it.
    if (typeof signer === 'string')
      return refusedIdentity(signer === 'InvalidAccessKeyId' ? 'InvalidClientTokenId' : signer);
    const [action, target] = [form.get('Action') ?? '', form.get('UserName') ?? ''];
    calls.note({ action, target, by: signer.accessKeyId });
    return signer.provisions ? identityAnswer(identities, form, signer.accessKeyId) : refusedIdentity('AccessDenied');
  };

  const askedOfBuckets = async (exchange: Exchange, action: string, bucket: string, key: string) => {
    const signer = signerOf(exchange.request, known(), now(), 's3');
    if (typeof signer === 'string') return refused(signer);
    calls.note({ action, target: key === '' ? bucket : `${bucket}/${key}`, by: signer.accessKeyId });
    if (signer.provisions)
      return key === '' ? bucketAnswer(buckets, action, exchange, bucket) : refused('AccessDenied');
    if (!buckets.has(bucket)) return refused('NoSuchBucket');
    return mayUse(signer, action, bucket, key)
      ? answerOf(buckets.objectsIn(bucket), exchange, key)
      : refused('AccessDenied');
  };

  const mayUse = ({ bucket: own, user }: Signer, action: string, bucket: string, key: string): boolean =>
    user === undefined
      ? own === bucket
      : identities.allows(user, permissionFor(action), `arn:aws:s3:::${bucket}/${key}`);

  const handle = async (exchange: Exchange): Promise<Answer | null | undefined> => {
    const { action, answer } = await asked(exchange);
    const at = faults.findIndex((one) => one.action === undefined || one.action === action);
    const fault = at < 0 ? undefined : faults.splice(at, 1)[0]?.fault;
    if (typeof fault === 'number') return xml(fault, '<Error><Code>SlowDown</Code></Error>');
    const given = await answer();
    if (fault === 'held') await exchange.closed;
    return fault === undefined ? given : null;
  };
  const { port, close } = await listen(options.port, HOST, handle, log);
  const url = `http://${HOST}:${port}`;
  log(`store: ${url}, buckets ${buckets.names().join(', ')}`);
  return {
    url,
    objects: buckets.objectsIn(first),
    objectsIn: buckets.objectsIn,
    identities,
    take: (bucket) => buckets.add(bucket),
    revoke(accessKeyId) {
      revoked.add(accessKeyId);
      return () => void revoked.delete(accessKeyId);
    },
    calls: calls.all,
    close,
    fail: (fault, times, action) => void faults.push(...Array.from({ length: times }, () => ({ fault, action }))),
  };
}

async function answerOf(objects: Objects, exchange: Exchange, key: string): Promise<Answer | undefined> {
  const { searchParams } = exchange.url;
  const upload = searchParams.get('uploadId');
  if (upload !== null && !objects.knows(upload)) return refused('NoSuchUpload');
  switch (exchange.method) {
    case 'PUT':
      return put(objects, exchange, key, upload, Number(searchParams.get('partNumber')));
    case 'POST':
      return post(objects, exchange, key, upload);
    case 'DELETE':
      if (upload === null) objects.remove(key);
      else objects.abort(upload);
      return nothing(204);
    case 'GET':
    case 'HEAD':
      return get(objects, exchange, key);
    default:
      return refused('NotImplemented');
  }
}

async function put(objects: Objects, exchange: Exchange, key: string, upload: string | null, part: number) {
  const { request } = exchange;
  const digest = exchange.header('x-amz-content-sha256') ?? '';
  // Chunks that are signed one by one are not played.
  if (digest.startsWith('STREAMING-')) return refused('NotImplemented');
  const expected = /^[0-9a-f]{64}$/.test(digest) ? digest : null;
  const bytes: http.IncomingMessage = request;
  const etag = await (upload === null
    ? objects.put(key, bytes, expected)
    : objects.putPart(upload, part, bytes, expected));
  return etag === null ? refused('XAmzContentSHA256Mismatch') : nothing(200, { ETag: `"${etag}"` });
}

async function post(objects: Objects, exchange: Exchange, key: string, upload: string | null): Promise<Answer> {
  await exchange.text();
  if (upload !== null) {
    const etag = await objects.complete(upload, key);
    return xml(200, `<CompleteMultipartUploadResult><ETag>"${etag}"</ETag></CompleteMultipartUploadResult>`);
  }
  if (!exchange.url.searchParams.has('uploads')) return refused('NotImplemented');
  const id = objects.begin();
  return xml(200, `<InitiateMultipartUploadResult><UploadId>${id}</UploadId></InitiateMultipartUploadResult>`);
}

/** Says of itself what the signed address asks for. */
function get(objects: Objects, { method, url, response }: Exchange, key: string): Answer | undefined {
  const object = objects.read(key);
  if (!object) return refused('NoSuchKey');
  const asked = (name: string) => url.searchParams.get(`response-${name}`);
  const headers = Object.entries({
    'Content-Type': asked('content-type') ?? 'binary/octet-stream',
    'Content-Disposition': asked('content-disposition'),
    'Cache-Control': asked('cache-control'),
    'Content-Length': String(object.size),
  }).filter((header): header is [string, string] => header[1] !== null);
  response.writeHead(200, Object.fromEntries(headers));
  if (method === 'HEAD') response.end();
  else object.bytes().pipe(response);
  return undefined;
}
