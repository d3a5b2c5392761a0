/** AWS Signature Version 4, as S3 and the identity service check it: of a header, or of a signed address. */
import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type http from 'node:http';

export interface Credentials {
  accessKeyId: string;
  secretAccessKey: string;
}

/** S3's own word for what is wrong. */
export type Wrong =
  | 'AccessDenied'
  | 'InvalidAccessKeyId'
  | 'SignatureDoesNotMatch'
  | 'RequestTimeTooSkewed'
  | 'NotImplemented';

interface Signed {
  /** `<key id>/<day>/<region>/<service>/aws4_request` */
  credential: string;
  headers: string;
  signature: string;
  date: string;
  payload: string;
}

const SKEW_MS = 15 * 60 * 1000;
const LONGEST_SECONDS = 7 * 24 * 3600;

/** @param known whose keys it takes. @returns whose it is that signed, or what is wrong with the signature */
export function signerOf<Known extends Credentials>(
  request: http.IncomingMessage,
  known: readonly Known[],
  now: number,
  service: 's3' | 'iam',
): Known | Wrong {
  const url = new URL(`http://standin${request.url ?? '/'}`);
  const inAddress = url.searchParams.has('X-Amz-Signature');
  const signed = inAddress ? signedAddress(url) : signedHeader(request);
  if (!signed) return 'AccessDenied';
  const at = Date.parse(signed.date.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'));
  if (inAddress) {
    const seconds = Number(url.searchParams.get('X-Amz-Expires'));
    if (!(seconds >= 1 && seconds <= LONGEST_SECONDS && now <= at + seconds * 1000)) return 'AccessDenied';
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
  const given = Buffer.from(signed.signature, 'hex');
  return given.length === expected.length && timingSafeEqual(given, expected) ? signer : 'SignatureDoesNotMatch';
}

function signedHeader({ headers }: http.IncomingMessage): Signed | null {
  const found = /^AWS4-HMAC-SHA256 Credential=([^,]+), ?SignedHeaders=([^,]+), ?Signature=([0-9a-f]{64})$/.exec(
    headers.authorization ?? '',
  );
  const [, credential = '', names = '', signature = ''] = found ?? [];
  const date = String(headers['x-amz-date'] ?? '');
  const payload = String(headers['x-amz-content-sha256'] ?? '');
  return found && { credential, headers: names, signature, date, payload };
}

function signedAddress({ searchParams }: URL): Signed {
  const of = (name: string) => searchParams.get(`X-Amz-${name}`) ?? '';
  return {
    credential: of('Credential'),
    headers: of('SignedHeaders'),
    signature: of('Signature'),
    date: of('Date'),
    payload: 'UNSIGNED-PAYLOAD',
  };
}

/** The request in the one form that both sides sign. */
function canonical(request: http.IncomingMessage, url: URL, { headers, payload }: Signed): string {
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
