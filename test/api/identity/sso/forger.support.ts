/** A provider that says whatever it is told to: for the answers that no honest one gives. */
import { createSign, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text as textOf } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';

const keyPair = () => generateKeyPairSync('rsa', { modulusLength: 2048 });
const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

export interface Forgery {
  /** Over those of an honest ID token. */
  claims?: Record<string, unknown>;
  header?: Record<string, unknown>;
  /** `stranger`: a key that the provider does not publish. `none`: not at all. */
  signedBy?: 'own' | 'stranger' | 'none';
  /** What the userinfo endpoint says. */
  userinfo?: Record<string, unknown>;
  /** The token endpoint's whole answer. */
  token?: { status: number; body: string };
  /** The path whose answer comes packed by gzip. */
  packed?: string;
}

export interface Forger {
  issuer: string;
  clientId: string;
  /** Over what an honest provider says of itself, from now on. */
  metadata: Record<string, unknown>;
  /** What the next sign-in gets. */
  forge(forgery: Forgery, nonce: string): void;
  /** Bodies of what the token endpoint was asked. */
  asked: URLSearchParams[];
  close(): void;
}

export async function startForger(clientId: string): Promise<Forger> {
  const [own, stranger] = [keyPair(), keyPair()];
  let next: { forgery: Forgery; nonce: string } = { forgery: {}, nonce: '' };
  const asked: URLSearchParams[] = [];
  const server = createServer((request, response) => {
    const path = request.url ?? '';
    const headers = { 'Content-Type': 'application/json' };
    const say = (body: unknown) => {
      const text = JSON.stringify(body);
      if (path !== next.forgery.packed) response.writeHead(200, headers).end(text);
      else response.writeHead(200, { ...headers, 'Content-Encoding': 'gzip' }).end(gzipSync(text));
    };
    const redeem = (text: string) => {
      asked.push(new URLSearchParams(text));
      const { token, signedBy } = next.forgery;
      const key = signedBy === 'stranger' ? stranger.privateKey : own.privateKey;
      if (token) response.writeHead(token.status, headers).end(token.body);
      else say({ access_token: 'x', token_type: 'Bearer', id_token: idToken(issuer, clientId, next, key) });
    };
    const published = { ...own.publicKey.export({ format: 'jwk' }), kid: 'own', alg: 'RS256', use: 'sig' };
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

function idToken(issuer: string, aud: string, next: { forgery: Forgery; nonce: string }, key: KeyObject): string {
  const now = Math.floor(Date.now() / 1000);
  const { forgery, nonce } = next;
  const header = { alg: forgery.signedBy === 'none' ? 'none' : 'RS256', kid: 'own', ...forgery.header };
  const claims = { iss: issuer, aud, sub: 'subject', iat: now, exp: now + 300, nonce, ...forgery.claims };
  const signed = `${encoded(header)}.${encoded(claims)}`;
  if (forgery.signedBy === 'none') return `${signed}.`;
  return `${signed}.${createSign('RSA-SHA256').update(signed).sign(key).toString('base64url')}`;
}
