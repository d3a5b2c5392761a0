/** A store that speaks S3, as far as the platform does: signatures are checked, objects are files, and it can be made to fail. */
import type http from 'node:http';
import path from 'node:path';
import { listen } from '../kit/listen.js';
import type { Answer, Exchange } from '../kit/exchange.js';
import { Objects } from './objects.js';
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
  log?: (line: string) => void;
  /** The clock, in milliseconds. */
  now?: () => number;
}

export interface StorageStandin {
  url: string;
  /** Of the first bucket. */
  objects: Objects;
  /** Of any of them. */
  objectsIn(bucket: string): Objects;
  /** A key that is known no more from now on. */
  revoke(accessKeyId: string): void;
  /** The next requests get no other answer: a status, or `lost`, when the work is done and the connection drops. */
  fail(fault: number | 'lost', times: number): void;
  close(): Promise<void>;
}

const HOST = '127.0.0.1';

const STATUS: Record<string, number> = {
  NotImplemented: 501,
  NoSuchKey: 404,
  NoSuchBucket: 404,
  NoSuchUpload: 404,
  XAmzContentSHA256Mismatch: 400,
};

const xml = (status: number, body: string, headers: Record<string, string> = {}): Answer => ({
  status,
  body: `<?xml version="1.0" encoding="UTF-8"?>\n${body}`,
  headers: { 'Content-Type': 'application/xml', ...headers },
});
const refused = (code: string): Answer =>
  xml(STATUS[code] ?? 403, `<Error><Code>${code}</Code><Message>${code}</Message></Error>`);
const nothing = (status: number, headers: Record<string, string> = {}): Answer => ({ status, body: '', headers });

/** Resolves once it listens. */
export async function startStorageStandin(options: StorageStandinOptions): Promise<StorageStandin> {
  const { folder, buckets, log = () => {}, now = Date.now } = options;
  const [{ bucket: first }] = buckets;
  const contents = new Map(buckets.map(({ bucket }) => [bucket, new Objects(path.join(folder, bucket))]));
  const objectsIn = (bucket: string) => contents.get(bucket) as Objects;
  let known = [...buckets];
  const faults: (number | 'lost')[] = [];
  const handle = async (exchange: Exchange): Promise<Answer | null | undefined> => {
    const fault = faults.shift();
    if (typeof fault === 'number') return xml(fault, '<Error><Code>SlowDown</Code></Error>');
    const signer = signerOf(exchange.request, known, now());
    if (typeof signer === 'string') return refused(signer);
    const [, bucket = '', ...rest] = exchange.url.pathname.split('/').map(decodeURIComponent);
    if (!contents.has(bucket)) return refused('NoSuchBucket');
    if (bucket !== signer.bucket) return refused('AccessDenied');
    const answer = await answerOf(objectsIn(bucket), exchange, rest.join('/'));
    return fault === 'lost' ? null : answer;
  };
  const { port, close } = await listen(options.port, HOST, handle, log);
  const url = `http://${HOST}:${port}`;
  log(`store: ${url}, buckets ${[...contents.keys()].join(', ')}`);
  return {
    url,
    objects: objectsIn(first),
    objectsIn,
    revoke: (accessKeyId) => void (known = known.filter((one) => one.accessKeyId !== accessKeyId)),
    close,
    fail: (fault, times) => void faults.push(...Array<typeof fault>(times).fill(fault)),
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
