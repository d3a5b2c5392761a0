/** A provider with forged answers that no honest provider gives. */
import { constants, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text as textOf } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';

export type Algorithm = 'RS256' | 'PS256' | 'ES256';
const keyPair = (algorithm: Algorithm = 'RS256') =>
  algorithm === 'ES256'
    ? generateKeyPairSync('ec', { namedCurve: 'P-256' })
    : generateKeyPairSync('rsa', { modulusLength: 2048 });
const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

export interface Forgery {
  /** Overrides claims of an honest ID token. */
  claims?: Record<string, unknown>;
  header?: Record<string, unknown>;
  /** `stranger`: a key that the provider does not publish. `none`: no signature. */
  signedBy?: 'own' | 'stranger' | 'none';
  /** The answer of the userinfo endpoint. */
  userinfo?: Record<string, unknown>;
  /** The whole answer of the token endpoint. */
  token?: { status: number; body: string };
  /** The path whose answer is compressed by gzip. */
  packed?: string;
}

export interface Forger {
  issuer: string;
  clientId: string;
  /** Overrides the metadata of an honest provider from now on. */
  metadata: Record<string, unknown>;
  /** Sets what the next sign-in gets. */
  forge(forgery: Forgery, nonce: string): void;
  /** Bodies of the requests to the token endpoint. */
  asked: URLSearchParams[];
  /** Every requested path, in order. */
  paths: string[];
  /** Additional headers of an answer, by path; a request that sends its ETag gets 304. */
  headers: Record<string, Record<string, string>>;
  /** Signs with another key from now on, and publishes only that one. */
  changeKey(kid: string, algorithm?: Algorithm): void;
  /** Returns a token with these claims, signed with the current key. */
  signed(claims: Record<string, unknown>, header?: Record<string, unknown>): string;
  close(): void;
}

/** The key of a stranger to every provider. One for all, since making one takes a tenth of a second. */
const STRANGER = keyPair();

export async function startForger(clientId: string): Promise<Forger> {
  let own = { ...keyPair(), kid: 'own', alg: 'RS256' as Algorithm };
  let next: { forgery: Forgery; nonce: string } = { forgery: {}, nonce: '' };
  const asked: URLSearchParams[] = [];
  const server = createServer((request, response) => {
    const path = request.url ?? '';
    forger.paths.push(path);
    const headers = { 'Content-Type': 'application/json', ...forger.headers[path] };
    const { etag } = forger.headers[path] ?? {};
    if (etag !== undefined && request.headers['if-none-match'] === etag) {
      response.writeHead(304, headers).end();
      return;
    }
    const say = (body: unknown) => {
      const text = JSON.stringify(body);
      if (path !== next.forgery.packed) response.writeHead(200, headers).end(text);
      else response.writeHead(200, { ...headers, 'Content-Encoding': 'gzip' }).end(gzipSync(text));
    };
    const redeem = (text: string) => {
      asked.push(new URLSearchParams(text));
      const { token, signedBy } = next.forgery;
      const key = signedBy === 'stranger' ? { ...own, ...STRANGER } : own;
      if (token) response.writeHead(token.status, headers).end(token.body);
      else say({ access_token: 'x', token_type: 'Bearer', id_token: idToken(issuer, clientId, next, key) });
    };
    const published = { ...own.publicKey.export({ format: 'jwk' }), kid: own.kid, alg: own.alg, use: 'sig' };
    if (path.startsWith('/.well-known/')) say({ ...metadata(issuer), ...forger.metadata });
    else if (path === '/jwks') say({ keys: [published] });
    else if (path === '/userinfo') say(next.forgery.userinfo ?? {});
    else void textOf(request).then(redeem);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const forger: Forger = {
    issuer,
    clientId,
    asked,
    paths: [],
    headers: {},
    changeKey: (kid, alg = 'RS256') => (own = { ...keyPair(alg), kid, alg }),
    signed: (claims, header = {}) => jwt({ alg: own.alg, kid: own.kid, ...header }, claims, own),
    metadata: {},
    forge: (forgery, nonce) => (next = { forgery, nonce }),
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
  return forger;
}

const metadata = (issuer: string) => ({
  issuer,
  authorization_endpoint: `${issuer}/auth`,
  token_endpoint: `${issuer}/token`,
  userinfo_endpoint: `${issuer}/userinfo`,
  jwks_uri: `${issuer}/jwks`,
  authorization_response_iss_parameter_supported: true,
  response_types_supported: ['code'],
  subject_types_supported: ['public'],
  id_token_signing_alg_values_supported: ['RS256'],
});

interface Key {
  privateKey: KeyObject;
  kid: string;
  alg: Algorithm;
}

function idToken(issuer: string, aud: string, next: { forgery: Forgery; nonce: string }, key: Key): string {
  const now = Math.floor(Date.now() / 1000);
  const { forgery, nonce } = next;
  const header = { alg: forgery.signedBy === 'none' ? 'none' : key.alg, kid: key.kid, ...forgery.header };
  const claims = { iss: issuer, aud, sub: 'subject', iat: now, exp: now + 300, nonce, ...forgery.claims };
  return forgery.signedBy === 'none' ? `${encoded(header)}.${encoded(claims)}.` : jwt(header, claims, key);
}

function jwt(header: Record<string, unknown>, claims: Record<string, unknown>, { privateKey, alg }: Key): string {
  const text = `${encoded(header)}.${encoded(claims)}`;
  const padding = alg === 'PS256' ? { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: 32 } : {};
  const signature = sign('sha256', Buffer.from(text), { key: privateKey, dsaEncoding: 'ieee-p1363', ...padding });
  return `${text}.${signature.toString('base64url')}`;
}
