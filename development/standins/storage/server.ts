/**
 * Object storage with the parts of S3 that the platform uses, including users and keys. Signatures and policies are
 * checked, objects are files, and faults can be injected.
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

/** A bucket and the access key that may use only this bucket. */
export interface Bucket extends Credentials {
  bucket: string;
}

export interface StorageStandinOptions {
  /** 0 chooses a free port. */
  port: number;
  folder: string;
  /** The first bucket is the platform's. */
  buckets: readonly [Bucket, ...Bucket[]];
  /** Credentials that may create buckets, users and keys. */
  provisioner: Credentials;
  log?: (line: string) => void;
  /** Returns the time in milliseconds. */
  now?: () => number;
}

/**
 * A fault of one request. A number is the status code of the response; with `lost` the work is done but the connection
 * drops; with `held` the work is done but no response is sent.
 */
export type Fault = number | 'lost' | 'held';

export interface StorageStandin {
  url: string;
  /** Objects of the first bucket. */
  objects: Objects;
  /** Objects of any bucket. */
  objectsIn(bucket: string): Objects;
  /** The provisioned users and their keys. */
  identities: Identities;
  /** Gives a bucket to another account. */
  giveToOtherAccount(bucket: string): void;
  /** Revokes a key. @returns a function that restores it */
  revoke(accessKeyId: string): () => void;
  /** Lists the calls with valid signatures, in order. */
  calls(): readonly Call[];
  /** Injects a fault into the next requests. @param action limits it to requests with this action */
  fail(fault: Fault, times: number, action?: string): void;
  close(): Promise<void>;
}

const HOST = '127.0.0.1';

/** The access key that signed a request, with its owner: a bucket, the provisioner, or a user. */
type Signer = Credentials & { bucket?: string; provisions?: true; user?: string };

/** Starts the storage. Resolves when it listens. */
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
  const validKeys = (): Signer[] =>
    [...options.buckets, { ...options.provisioner, provisions: true as const }, ...identities.activeKeys()].filter(
      ({ accessKeyId }) => !revoked.has(accessKeyId),
    );

  const requestOf = async (
    exchange: Exchange,
  ): Promise<{ action: string; answer: () => Answer | Promise<Answer | undefined> }> => {
    const { pathname } = exchange.url;
    if (pathname === '/' && exchange.method === 'POST') {
      const form = new URLSearchParams(await exchange.text());
      return { action: form.get('Action') ?? '', answer: () => answerIdentityRequest(exchange, form) };
    }
    const [, bucket = '', ...rest] = pathname.split('/').map(decodeURIComponent);
    const action = actionOf(exchange, rest.join('/'));
    return { action, answer: () => answerBucketRequest(exchange, action, bucket, rest.join('/')) };
  };

  const answerIdentityRequest = (exchange: Exchange, form: URLSearchParams): Answer => {
    const signer = signerOf(exchange.request, validKeys(), now(), 'iam');
    // The identity service reports an unknown key with a different error code than S3.
    if (typeof signer === 'string')
      return refusedIdentity(signer === 'InvalidAccessKeyId' ? 'InvalidClientTokenId' : signer);
    const [action, target] = [form.get('Action') ?? '', form.get('UserName') ?? ''];
    calls.add({ action, target, by: signer.accessKeyId });
    return signer.provisions ? identityAnswer(identities, form, signer.accessKeyId) : refusedIdentity('AccessDenied');
  };

  const answerBucketRequest = async (exchange: Exchange, action: string, bucket: string, key: string) => {
    const signer = signerOf(exchange.request, validKeys(), now(), 's3');
    if (typeof signer === 'string') return refused(signer);
    calls.add({ action, target: key === '' ? bucket : `${bucket}/${key}`, by: signer.accessKeyId });
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
    const { action, answer } = await requestOf(exchange);
    const at = faults.findIndex((one) => one.action === undefined || one.action === action);
    const fault = at < 0 ? undefined : faults.splice(at, 1)[0]?.fault;
    if (typeof fault === 'number') return xml(fault, '<Error><Code>SlowDown</Code></Error>');
    const result = await answer();
    if (fault === 'held') await exchange.closed;
    return fault === undefined ? result : null;
  };
  const { port, close } = await listen(options.port, HOST, handle, log);
  const url = `http://${HOST}:${port}`;
  log(`store: ${url}, buckets ${buckets.names().join(', ')}`);
  return {
    url,
    objects: buckets.objectsIn(first),
    objectsIn: buckets.objectsIn,
    identities,
    giveToOtherAccount: (bucket) => buckets.add(bucket),
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
  if (upload !== null && !objects.hasUpload(upload)) return refused('NoSuchUpload');
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
  // Chunked signatures are not implemented.
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

/** Sends an object. The signed address of the request can set some of the response headers. */
function get(objects: Objects, { method, url, response }: Exchange, key: string): Answer | undefined {
  const object = objects.read(key);
  if (!object) return refused('NoSuchKey');
  const requestedHeader = (name: string) => url.searchParams.get(`response-${name}`);
  const headers = Object.entries({
    'Content-Type': requestedHeader('content-type') ?? 'binary/octet-stream',
    'Content-Disposition': requestedHeader('content-disposition'),
    'Cache-Control': requestedHeader('cache-control'),
    'Content-Length': String(object.size),
  }).filter((header): header is [string, string] => header[1] !== null);
  response.writeHead(200, Object.fromEntries(headers));
  if (method === 'HEAD') response.end();
  else object.bytes().pipe(response);
  return undefined;
}
