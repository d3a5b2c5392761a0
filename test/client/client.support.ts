/** Clients of the package in client/, and a server that fails. */
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Client } from '../support/api.js';

// oxlint-disable-next-line typescript/no-explicit-any -- the types exist only after a whole build; check-clients tests them
type Loose = any;

const { createClient: create } = require('chapter-membership-client') as { createClient: Loose };

export const createClient = (options: object): Loose => create(options);

/** Keeps the tokens of a bearer session. */
export class Store {
  constructor(public tokens: { access_token: string; refresh_token: string; restore_token?: string } | null = null) {}
  load = () => this.tokens;
  save = (tokens: Store['tokens']) => void (this.tokens = tokens);

  /** Makes the access token one that the API refuses, as after half an hour. */
  expire(): void {
    if (this.tokens) this.tokens = { ...this.tokens, access_token: 'expired' };
  }
}

/** A fetch with the cookies of a browser. */
export const fetchOf = (browser: Client) => async (request: Request) => {
  const { pathname, search } = new URL(request.url);
  // The browser of the tests sets it.
  request.headers.delete('Content-Type');
  const { status, body, headers } = await browser.send(
    request.method,
    pathname + search,
    (await request.text()) || undefined,
    Object.fromEntries(request.headers),
  );
  return new Response(body === undefined ? null : JSON.stringify(body), { status, headers });
};

/** A fetch that counts the requests whose address ends with a text. */
export function counting(fetch: (request: Request, init?: RequestInit) => Promise<Response> = globalThis.fetch) {
  const sent: string[] = [];
  return {
    count: (ending: string) => sent.filter((path) => path.endsWith(ending)).length,
    fetch: (request: Request, init?: RequestInit) => {
      sent.push(new URL(request.url).pathname);
      return fetch(request, init);
    },
  };
}

export type Behaviour = (request: http.IncomingMessage, response: http.ServerResponse) => void;

/** Answers with JSON. */
export const anAnswer =
  (status: number, body: object | string, headers: Record<string, string> = {}): Behaviour =>
  (_request, response) =>
    void response.writeHead(status, { 'Content-Type': 'application/json', ...headers }).end(JSON.stringify(body));

/** Closes the connection instead of answering. */
export const disconnect: Behaviour = (request) => void request.destroy();

/** Closes the connection in the middle of the answer. */
export const truncate: Behaviour = (_request, response) => {
  response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': '100' });
  response.write('{"id":', () => response.destroy());
};

export const hang: Behaviour = () => undefined;

/** A server that treats each request as the next of its behaviours says. */
export class FailingServer {
  readonly requests: http.IncomingMessage[] = [];
  behaviours: Behaviour[] = [];
  private readonly server = http.createServer((request, response) => {
    this.requests.push(request);
    (this.behaviours.shift() ?? anAnswer(500, { code: 'unexpected', detail: 'Unexpected.' }))(request, response);
  });

  async start(): Promise<void> {
    await new Promise<void>((resolve) => void this.server.listen(0, '127.0.0.1', resolve));
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** Sets what happens to the next requests. */
  next(...behaviours: Behaviour[]): void {
    this.requests.length = 0;
    this.behaviours = behaviours;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}
