/**
 * A reverse proxy like that of a deployment: round robin over the backends, with the client's address appended to
 * X-Forwarded-For.
 */
import http from 'node:http';
import net, { type AddressInfo } from 'node:net';

export interface Proxy {
  url: string;
  /** Number of requests that each backend answered. */
  served: Map<string, number>;
  close(): Promise<void>;
}

/** Response header with the backend that answered, so that a test can see both take part. */
export const SERVED_BY = 'x-served-by';

/**
 * Starts the proxy.
 * @param backends base URLs. A backend that refuses the connection is skipped; one that breaks the connection causes a
 * 502
 */
export async function startProxy(backends: string[], port = 0): Promise<Proxy> {
  const served = new Map(backends.map((backend) => [backend, 0]));
  let turn = 0;
  // Keep idle connections longer than the API does. The API's Keep-Alive header is passed on to clients and tells them
  // how long they may reuse a connection. If the proxy closed it earlier, a client could send a request on a closed
  // connection.
  const server = http.createServer({ keepAliveTimeout: 75_000 }, (request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      turn += 1;
      const order = backends.map((_, n) => backends[(turn + n) % backends.length] as string);
      forward(request, response, Buffer.concat(chunks), order, served);
    });
  });
  server.on('upgrade', (request, socket, head) => {
    turn += 1;
    const order = backends.map((_, n) => backends[(turn + n) % backends.length] as string);
    tunnel(request, socket as net.Socket, head, order);
  });
  await new Promise<void>((resolve) => void server.listen(port, '0.0.0.0', resolve));
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
    // Try another backend only if this one refused the connection: otherwise the request may already have arrived.
    if (error.code === 'ECONNREFUSED') forward(request, response, body, others, served);
    else if (response.headersSent) response.destroy();
    else response.writeHead(502).end();
  });
  outgoing.end(body);
}

/** Forwards a connection upgrade: sends the request's head unchanged, then connects both sockets. */
function tunnel(request: http.IncomingMessage, socket: net.Socket, head: Buffer, [backend, ...others]: string[]): void {
  socket.on('error', () => socket.destroy());
  if (!backend) return void socket.end('HTTP/1.1 502 Bad Gateway\r\n\r\n');
  const { hostname: host, port } = new URL(backend);
  const upstream = net.connect({ host, port: Number(port) });
  let connected = false;
  upstream.once('connect', () => {
    connected = true;
    const headers = Object.entries(withCaller(request)).flatMap(([name, value]) =>
      [value ?? []].flat().map((text) => `${name}: ${text}\r\n`),
    );
    upstream.write(`${request.method} ${request.url} HTTP/1.1\r\n${headers.join('')}\r\n`);
    upstream.write(head);
    socket.pipe(upstream).pipe(socket);
  });
  upstream.on('error', () => (connected ? socket.destroy() : tunnel(request, socket, head, others)));
  upstream.once('close', () => connected && socket.destroy());
  socket.once('close', () => upstream.destroy());
}

function withCaller({ headers, socket }: http.IncomingMessage): http.OutgoingHttpHeaders {
  const before = [headers['x-forwarded-for'] ?? []].flat().join(', ');
  const caller = socket.remoteAddress ?? '';
  return { ...headers, 'x-forwarded-for': before === '' ? caller : `${before}, ${caller}` };
}
