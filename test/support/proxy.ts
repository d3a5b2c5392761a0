/** A reverse proxy as a deployment has one: turns among the backends, and the caller's address appended to X-Forwarded-For. */
import http from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Proxy {
  url: string;
  /** How many requests each backend was given. */
  served: Map<string, number>;
  close(): Promise<void>;
}

/** Names the backend that answered, so that a test can see both take part. */
export const SERVED_BY = 'x-served-by';

/** @param backends base URLs; one that refuses the connection is passed over, one that breaks off is a 502 */
export async function startProxy(backends: string[]): Promise<Proxy> {
  const served = new Map(backends.map((backend) => [backend, 0]));
  let turn = 0;
  const server = http.createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      turn += 1;
      const order = backends.map((_, n) => backends[(turn + n) % backends.length] as string);
      forward(request, response, Buffer.concat(chunks), order, served);
    });
  });
  await new Promise<void>((resolve) => void server.listen(0, '0.0.0.0', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    served,
    async close() {
      server.closeAllConnections();
      await new Promise<void>((resolve) => void server.close(() => resolve()));
    },
  };
}

function forward(
  request: http.IncomingMessage,
  response: http.ServerResponse,
  body: Buffer,
  [backend, ...others]: string[],
  served: Map<string, number>,
): void {
  if (!backend) return void response.writeHead(502).end();
  const outgoing = http.request(
    backend + (request.url ?? '/'),
    { method: request.method ?? 'GET', headers: withCaller(request) },
    (answer) => {
      served.set(backend, (served.get(backend) ?? 0) + 1);
      response.writeHead(answer.statusCode ?? 502, { ...answer.headers, [SERVED_BY]: backend });
      answer.pipe(response);
      answer.once('error', () => response.destroy());
    },
  );
  outgoing.once('error', (error: NodeJS.ErrnoException) => {
    // Only what never arrived may be given to another backend.
    if (error.code === 'ECONNREFUSED') forward(request, response, body, others, served);
    else if (response.headersSent) response.destroy();
    else response.writeHead(502).end();
  });
  outgoing.end(body);
}

function withCaller({ headers, socket }: http.IncomingMessage): http.OutgoingHttpHeaders {
  const before = [headers['x-forwarded-for'] ?? []].flat().join(', ');
  const caller = socket.remoteAddress ?? '';
  return { ...headers, 'x-forwarded-for': before === '' ? caller : `${before}, ${caller}` };
}
