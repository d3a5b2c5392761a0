/** Opens what Temporal stores encrypted, for those who may see it: Temporal's own UI and command line ask here. */
import { createHash, timingSafeEqual } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import type { Payload, PayloadCodec } from '@temporalio/common';
import cors from 'cors';
import express, { type ErrorRequestHandler, type RequestHandler } from 'express';
import { fromJson, PayloadsJson, toJson } from './payloads.js';

export interface CodecServerSettings {
  host: string;
  /** 0 for any free one. */
  port: number;
  /** Whoever asks knows it: as the first part of the path, or as a bearer token. */
  secret: string;
  /** Of the Temporal UI: the only page that browsers may ask from. */
  origin: string;
  codecs: PayloadCodec[];
}

export interface RunningCodecServer {
  port: number;
  close(): Promise<void>;
}

/** A page of history that the UI asks about at once; Temporal itself takes payloads up to 2 MB. */
const BODY_LIMIT = '8mb';

/** Listens. @throws Error when the port is taken */
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
  app.use(refuseOtherPages(origin), browserMayAsk(origin));
  // Strangers are refused before their body is read.
  app.post(['/decode', '/:secret/decode'], onlyWith(secret), readBody, answer(decodeWith(codecs)));
  app.post(['/encode', '/:secret/encode'], onlyWith(secret), readBody, answer(encodeWith(codecs)));
  app.use((_request, response) => void response.status(404).json({ message: 'There is nothing here.' }));
  app.use(refuseUnreadable);
  return app;
}

const refuseOtherPages =
  (allowed: string): RequestHandler =>
  ({ headers: { origin } }, response, next) => {
    if (origin === undefined || origin === allowed) return next();
    response.status(403).json({ message: 'This page may not ask.' });
  };

const browserMayAsk = (origin: string): RequestHandler[] => [
  (request, response, next) => {
    // A public page may ask a server on the operator's own machine only where that says so.
    if (request.headers['access-control-request-private-network'] === 'true')
      response.setHeader('Access-Control-Allow-Private-Network', 'true');
    next();
  },
  cors({ origin: [origin], methods: ['POST'], allowedHeaders: ['Authorization', 'Content-Type', 'X-Namespace'] }),
];

const onlyWith =
  (secret: string): RequestHandler =>
  ({ params, headers }, response, next) => {
    const given = params['secret'] ?? /^Bearer (\S+)$/i.exec(headers.authorization ?? '')?.[1];
    if (typeof given === 'string' && sameText(given, secret)) return next();
    response.status(401).json({ message: 'Name the access secret of this server.' });
  };

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
const sameText = (a: string, b: string): boolean => timingSafeEqual(digest(a), digest(b));

type Translate = (payloads: Payload[]) => Promise<Payload[]>;

const answer =
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

/** One by one: what none of the keys opens is given back as it is, and hides nothing else. */
const decodeWith =
  (codecs: PayloadCodec[]): Translate =>
  (payloads) =>
    Promise.all(payloads.map((payload) => open(payload, codecs)));

async function open(payload: Payload, codecs: PayloadCodec[]): Promise<Payload> {
  try {
    let opened = [payload];
    for (const codec of codecs.toReversed()) opened = await codec.decode(opened);
    return opened[0] ?? payload;
  } catch {
    return payload;
  }
}

const refuseUnreadable: ErrorRequestHandler = (error: { status?: number }, _request, response, _next) => {
  const tooLarge = error.status === 413;
  const message = tooLarge ? 'This is too much at once.' : 'These are no payloads.';
  response.status(tooLarge ? 413 : 400).json({ message });
};
