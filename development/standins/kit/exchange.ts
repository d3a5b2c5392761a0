/** One HTTP request and its answer. */
import type http from 'node:http';

const LARGEST_BODY = 1_048_576;

export interface Answer {
  status: number;
  body: string;
  headers: Record<string, string>;
}

/** An answer in JSON, laid out for people to read as Stripe's are. */
export function jsonAnswer(status: number, body: unknown, headers: Record<string, string> = {}): Answer {
  return {
    status,
    body: `${JSON.stringify(body, null, 2)}\n`,
    headers: { 'Content-Type': 'application/json', ...headers },
  };
}

export class BodyTooLarge extends Error {}

export class Exchange {
  readonly url: URL;
  /** The fault that struck this request, for the request log. */
  fault: string | null = null;
  /** Resolves when the client is gone. */
  readonly closed: Promise<void>;

  constructor(
    readonly request: http.IncomingMessage,
    readonly response: http.ServerResponse,
  ) {
    // The host is irrelevant, and what the client claims it to be may not parse.
    this.url = new URL(`http://standin${(request.url ?? '/').replace(/^\/+/, '/')}`);
    this.closed = new Promise((resolve) => {
      response.once('close', () => resolve());
    });
  }

  get method(): string {
    return this.request.method ?? 'GET';
  }

  header(name: string): string | null {
    const value = this.request.headers[name];
    return typeof value === 'string' && value !== '' ? value : null;
  }

  /** The whole body as text. */
  async text(): Promise<string> {
    const chunks: Buffer[] = [];
    let size = 0;
    for await (const chunk of this.request as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > LARGEST_BODY) throw new BodyTooLarge('the body is too large');
      chunks.push(chunk);
    }
    return Buffer.concat(chunks).toString('utf8');
  }

  /** Sends an answer, unless the client is gone. */
  send(answer: Answer): void {
    if (this.response.destroyed || this.response.headersSent) return;
    this.response.writeHead(answer.status, { ...answer.headers, 'Content-Length': Buffer.byteLength(answer.body) });
    this.response.end(answer.body);
  }

  /** Destroys the connection without an answer. */
  drop(): void {
    this.request.socket.destroy();
  }
}
