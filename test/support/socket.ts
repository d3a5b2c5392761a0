/** A client of the realtime connection, with its received messages. */
import { WebSocket, type ClientOptions } from 'ws';

// oxlint-disable-next-line typescript/no-explicit-any -- tests look into messages freely
export type Message = { type: string } & Record<string, any>;

interface Closing {
  code: number;
  reason: string;
}

/** For messages that never arrive: a busy machine takes its time over the others. */
const PATIENCE_MS = 60_000;

export class Socket {
  /** In the order of arrival. */
  readonly messages: Message[] = [];
  readonly closed: Promise<Closing>;
  private wake: () => void = () => undefined;

  constructor(readonly raw: WebSocket) {
    raw.on('message', (data: Buffer) => {
      this.messages.push(JSON.parse(data.toString()) as Message);
      this.wake();
    });
    raw.on('error', () => undefined);
    this.closed = new Promise((resolve) =>
      raw.once('close', (code, reason) => resolve({ code, reason: reason.toString() })),
    );
  }

  say(message: unknown): void {
    this.raw.send(JSON.stringify(message));
  }

  /** Waits until the received messages are as expected. */
  async hears(enough: (messages: Message[]) => boolean): Promise<Message[]> {
    const until = Date.now() + PATIENCE_MS;
    while (!enough(this.messages)) {
      if (Date.now() > until) throw new Error(`Heard only ${JSON.stringify(this.messages).slice(0, 2_000)}`);
      await new Promise<void>((resolve) => {
        this.wake = resolve;
        setTimeout(resolve, 100);
      });
    }
    return this.messages;
  }

  /** The next messages of a kind, from the first that was not taken yet. */
  async take(type: string, count = 1): Promise<Message[]> {
    const of = (messages: Message[]) => messages.filter((message) => message.type === type);
    const found = of(await this.hears((messages) => of(messages).length >= count)).slice(0, count);
    for (const message of found) this.messages.splice(this.messages.indexOf(message), 1);
    return found;
  }

  close(): Promise<Closing> {
    this.raw.close();
    return this.closed;
  }
}

/** The answer to a refused handshake. */
export interface Refused {
  status: number;
  // oxlint-disable-next-line typescript/no-explicit-any -- as above
  body: any;
  headers: NodeJS.Dict<string | string[]>;
}

interface Asking {
  token?: string;
  since?: string;
  headers?: Record<string, string>;
}

/** Requests a connection, as native clients do with a token. @param url of the API */
export function shakeHands(url: string, { token, since, headers = {} }: Asking): Promise<Socket | Refused> {
  const options: ClientOptions = { headers: { ...(token && { Authorization: `Bearer ${token}` }), ...headers } };
  const address = `${url.replace('http', 'ws')}/api/realtime/${since ? `?since=${since}` : ''}`;
  return new Promise((resolve, reject) => {
    const raw = new WebSocket(address, options);
    const socket = new Socket(raw);
    raw.once('open', () => resolve(socket));
    raw.once('unexpected-response', (_request, answer) => {
      let text = '';
      answer.on('data', (chunk: Buffer) => (text += chunk.toString()));
      answer.once('end', () =>
        resolve({ status: answer.statusCode ?? 0, body: JSON.parse(text), headers: answer.headers }),
      );
      answer.once('error', reject);
    });
    raw.once('error', reject);
  });
}

/** A connection that was accepted. */
export async function connected(url: string, asking: Asking): Promise<Socket> {
  const socket = await shakeHands(url, asking);
  if (!(socket instanceof Socket)) throw new Error(`The handshake was answered with ${JSON.stringify(socket)}`);
  await socket.hears((messages) => messages.some(({ type }) => type === 'hello'));
  return socket;
}
