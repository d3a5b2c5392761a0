/** Codec server: decrypts payloads for Temporal's UI and command line. */
import { createHash, timingSafeEqual } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import type { Payload, PayloadCodec } from '@temporalio/common';
import cors from 'cors';
import express, { type ErrorRequestHandler, type RequestHandler } from 'express';
import { fromJson, PayloadsJson, toJson } from './payloads.js';

export interface CodecServerSettings {
  host: string;
  /** 0 for any free port. */
  port: number;
  /** The secret that clients must send, as the first part of the path or as a bearer token. */
  secret: string;
  /** Origin of the Temporal UI, the only page whose browser requests are accepted. */
  origin: string;
  codecs: PayloadCodec[];
}

export interface RunningCodecServer {
  port: number;
  close(): Promise<void>;
}

/** Enough for one page of history, as the UI requests it. Temporal itself accepts payloads up to 2 MB. */
const BODY_LIMIT = '8mb';

/** Starts listening. @throws Error when the port is in use */
export async function startCodecServer(settings: CodecServerSettings): Promise<RunningCodecServer> {
  const server = createCodecApp(settings).listen(settings.port, settings.host);
  await new Promise<void>((resolve, reject) => server.once('listening', resolve).once('error', reject));
  return {
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function createCodecApp({ secret, origin, codecs }: CodecServerSettings) {
  const app = express().disable('x-powered-by').disable('etag');
  const readBody = express.json({ limit: BODY_LIMIT, type: () => true });
  app.use(refuseOtherPages(origin), allowBrowser(origin));
  // Requests without the secret are refused before their body is read.
  app.post(['/decode', '/:secret/decode'], requireSecret(secret), readBody, translateBody(decodeWith(codecs)));
  app.post(['/encode', '/:secret/encode'], requireSecret(secret), readBody, translateBody(encodeWith(codecs)));
  app.use((_request, response) => void response.status(404).json({ message: 'Not found.' }));
  app.use(refuseUnreadable);
  return app;
}

const refuseOtherPages =
  (allowed: string): RequestHandler =>
  ({ headers: { origin } }, response, next) => {
    if (origin === undefined || origin === allowed) return next();
    response.status(403).json({ message: 'Requests from this origin are not allowed.' });
  };

const allowBrowser = (origin: string): RequestHandler[] => [
  (request, response, next) => {
    // Private Network Access: browsers let a public page reach a local server only with this header.
    if (request.headers['access-control-request-private-network'] === 'true')
      response.setHeader('Access-Control-Allow-Private-Network', 'true');
    next();
  },
  cors({ origin: [origin], methods: ['POST'], allowedHeaders: ['Authorization', 'Content-Type', 'X-Namespace'] }),
];

const requireSecret =
  (secret: string): RequestHandler =>
  ({ params, headers }, response, next) => {
    const presented = params['secret'] ?? /^Bearer (\S+)$/i.exec(headers.authorization ?? '')?.[1];
    if (typeof presented === 'string' && isEqual(presented, secret)) return next();
    response.status(401).json({ message: 'Send the access secret of this server.' });
  };

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
const isEqual = (a: string, b: string): boolean => timingSafeEqual(digest(a), digest(b));

type Translate = (payloads: Payload[]) => Promise<Payload[]>;

const translateBody =
  (translate: Translate): RequestHandler =>
  async (request, response) => {
    const { payloads } = PayloadsJson.parse(request.body);
    response.setHeader('Cache-Control', 'no-store');
    response.json({ payloads: toJson(await translate(fromJson(payloads))) });
  };

const encodeWith =
  (codecs: PayloadCodec[]): Translate =>
  async (payloads) => {
    let encoded = payloads;
    for (const codec of codecs) encoded = await codec.encode(encoded);
    return encoded;
  };

/** Decodes payloads one by one. A payload that no key decrypts is returned unchanged and does not affect the others. */
const decodeWith =
  (codecs: PayloadCodec[]): Translate =>
  (payloads) =>
    Promise.all(payloads.map((payload) => decodePayload(payload, codecs)));

async function decodePayload(payload: Payload, codecs: PayloadCodec[]): Promise<Payload> {
  try {
    let decoded = [payload];
    for (const codec of codecs.toReversed()) decoded = await codec.decode(decoded);
    return decoded[0] ?? payload;
  } catch {
    return payload;
  }
}

const refuseUnreadable: ErrorRequestHandler = (error: { status?: number }, _request, response, _next) => {
  const tooLarge = error.status === 413;
  const message = tooLarge ? 'The body is too large.' : 'The body contains no valid payloads.';
  response.status(tooLarge ? 413 : 400).json({ message });
};
