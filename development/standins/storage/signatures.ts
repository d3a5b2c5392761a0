/** Verifies AWS Signature Version 4 for S3 and the identity service, in a header or in a presigned address. */
import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type http from 'node:http';

export interface Credentials {
  accessKeyId: string;
  secretAccessKey: string;
}

/** S3's error codes for a signature. */
export type SignatureError =
  | 'AccessDenied'
  | 'InvalidAccessKeyId'
  | 'SignatureDoesNotMatch'
  | 'RequestTimeTooSkewed'
  | 'NotImplemented';

interface SignatureParts {
  /** Format: `<key id>/<day>/<region>/<service>/aws4_request` */
  credential: string;
  headers: string;
  signature: string;
  date: string;
  payload: string;
}

const SKEW_MS = 15 * 60 * 1000;
const MAX_EXPIRY_SECONDS = 7 * 24 * 3600;

/**
 * Verifies the signature of a request.
 * @param known valid keys
 * @returns the key that signed the request, or the error code
 */
export function signerOf<Known extends Credentials>(
  request: http.IncomingMessage,
  known: readonly Known[],
  now: number,
  service: 's3' | 'iam',
): Known | SignatureError {
  const url = new URL(`http://standin${request.url ?? '/'}`);
  const inAddress = url.searchParams.has('X-Amz-Signature');
  const signed = inAddress ? signedAddress(url) : signedHeader(request);
  if (!signed) return 'AccessDenied';
  const at = Date.parse(signed.date.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'));
  if (inAddress) {
    const seconds = Number(url.searchParams.get('X-Amz-Expires'));
    if (!(seconds >= 1 && seconds <= MAX_EXPIRY_SECONDS && now <= at + seconds * 1000)) return 'AccessDenied';
  }
  if (!(at <= now + SKEW_MS && (inAddress || at >= now - SKEW_MS))) return 'RequestTimeTooSkewed';
  const [keyId, ...scope] = signed.credential.split('/');
  const signer = known.find(({ accessKeyId }) => accessKeyId === keyId);
  if (!signer) return 'InvalidAccessKeyId';
  if (scope[0] !== signed.date.slice(0, 8) || scope.slice(2).join('/') !== `${service}/aws4_request`)
    return 'SignatureDoesNotMatch';
  const text = ['AWS4-HMAC-SHA256', signed.date, scope.join('/'), sha256(canonical(request, url, signed))].join('\n');
  const key = scope.reduce<string | Buffer>((secret, part) => hmac(secret, part), `AWS4${signer.secretAccessKey}`);
  const expected = hmac(key, text);
  const received = Buffer.from(signed.signature, 'hex');
  return received.length === expected.length && timingSafeEqual(received, expected) ? signer : 'SignatureDoesNotMatch';
}

function signedHeader({ headers }: http.IncomingMessage): SignatureParts | null {
  const match = /^AWS4-HMAC-SHA256 Credential=([^,]+), ?SignedHeaders=([^,]+), ?Signature=([0-9a-f]{64})$/.exec(
    headers.authorization ?? '',
  );
  const [, credential = '', names = '', signature = ''] = match ?? [];
  const date = String(headers['x-amz-date'] ?? '');
  const payload = String(headers['x-amz-content-sha256'] ?? '');
  return match && { credential, headers: names, signature, date, payload };
}

function signedAddress({ searchParams }: URL): SignatureParts {
  const of = (name: string) => searchParams.get(`X-Amz-${name}`) ?? '';
  return {
    credential: of('Credential'),
    headers: of('SignedHeaders'),
    signature: of('Signature'),
    date: of('Date'),
    payload: 'UNSIGNED-PAYLOAD',
  };
}

/** Returns the canonical form of a request. Client and server compute the signature over this text. */
function canonical(request: http.IncomingMessage, url: URL, { headers, payload }: SignatureParts): string {
  const parameters = [...url.searchParams]
    .filter(([name]) => name !== 'X-Amz-Signature')
    .map(([name, value]) => `${encoded(name)}=${encoded(value)}`)
    .sort();
  const lines = headers.split(';').map((name) => {
    const value = String(request.headers[name] ?? '').trim();
    return `${name}:${value.replaceAll(/ +/g, ' ')}\n`;
  });
  return [request.method, url.pathname, parameters.join('&'), lines.join(''), headers, payload].join('\n');
}

const encoded = (text: string): string =>
  encodeURIComponent(text).replaceAll(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
const hmac = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest();
