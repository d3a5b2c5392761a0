/** The API of this test file, and clients for it: browsers with cookies, native clients with a bearer token. */
import { sequelize } from '../../models/database/connection.js';
import { type ServerOptions, startServer } from '../../api/server.js';
import { closeIdleConnections } from '../../models/database/sequelizeInternals.js';
import { closeAuxiliaryPool } from '../../models/database/auxiliaryPool.js';

export interface RunningApi {
  url: string;
  close(): Promise<void>;
}

/** Starts the API in this process on a free port. @param options other routes or throttles than the real ones */
export async function startApi(options: ServerOptions = {}): Promise<RunningApi> {
  const server = await startServer({ ...options, port: 0 });
  return {
    url: `http://127.0.0.1:${server.port}`,
    close: async () => {
      await server.stop(1);
      // Idle connections would keep jest from ending; the pool itself stays usable.
      await Promise.all([closeIdleConnections(sequelize), closeAuxiliaryPool()]);
    },
  };
}

export interface Reply<Body> {
  status: number;
  body: Body;
  headers: Headers;
}

export interface ClientOptions {
  /** A bearer token: a native client. Without it the client keeps cookies, as a browser does. */
  token?: string;
  /** Sent with each request, for example X-Organization-Id. */
  headers?: Record<string, string>;
}

// oxlint-disable-next-line typescript/no-explicit-any -- tests look into answers freely
type Loose = any;

export class Client {
  private readonly jar = new Map<string, { value: string; path: string }>();
  token: string | undefined;

  constructor(
    readonly url: string,
    private readonly options: ClientOptions = {},
  ) {
    this.token = options.token;
  }

  get = <Body = Loose>(path: string, headers?: Record<string, string>) =>
    this.send<Body>('GET', path, undefined, headers);
  post = <Body = Loose>(path: string, body?: unknown, headers?: Record<string, string>) =>
    this.send<Body>('POST', path, body, headers);
  put = <Body = Loose>(path: string, body?: unknown, headers?: Record<string, string>) =>
    this.send<Body>('PUT', path, body, headers);
  patch = <Body = Loose>(path: string, body?: unknown, headers?: Record<string, string>) =>
    this.send<Body>('PATCH', path, body, headers);
  delete = <Body = Loose>(path: string, headers?: Record<string, string>) =>
    this.send<Body>('DELETE', path, undefined, headers);

  /** The value of a cookie that the server has set. */
  cookie(name: string): string | undefined {
    return this.jar.get(name)?.value;
  }

  /** Names of cookies, the oldest first. */
  cookieNames(prefix = ''): string[] {
    return [...this.jar.keys()].filter((name) => name.startsWith(prefix));
  }

  setCookie(name: string, value: string, path = '/'): void {
    this.jar.set(name, { value, path });
  }

  /** Sends one request; a body that is a string or bytes is sent unchanged. */
  async send<Body = Loose>(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Reply<Body>> {
    const raw = typeof body === 'string' || body instanceof Uint8Array;
    const response = await fetch(this.url + path, {
      method,
      redirect: 'manual',
      headers: {
        ...this.credentials(path),
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
        ...this.options.headers,
        ...headers,
      },
      ...(body === undefined ? {} : { body: raw ? (body as NonNullable<RequestInit['body']>) : JSON.stringify(body) }),
    });
    this.keepCookies(response.headers);
    return { status: response.status, headers: response.headers, body: parse(await response.text()) as Body };
  }

  private credentials(path: string): Record<string, string> {
    if (this.token !== undefined) return { Authorization: `Bearer ${this.token}` };
    const sent = [...this.jar].filter(([, { path: scope }]) => path.startsWith(scope));
    const cookies = sent.map(([name, { value }]) => `${name}=${value}`).join('; ');
    return { Origin: this.url, 'Sec-Fetch-Site': 'same-origin', ...(cookies === '' ? {} : { Cookie: cookies }) };
  }

  private keepCookies(headers: Headers): void {
    for (const line of headers.getSetCookie()) {
      const [pair = '', ...attributes] = line.split(/;\s*/);
      const [name, value] = [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)];
      const attribute = (wanted: string) =>
        attributes.find((text) => text.toLowerCase().startsWith(`${wanted}=`))?.slice(wanted.length + 1);
      const expires = attribute('expires');
      const gone =
        value === '' || attribute('max-age') === '0' || (expires !== undefined && new Date(expires) < new Date());
      if (gone) this.jar.delete(name);
      else this.jar.set(name, { value: decodeURIComponent(value), path: attribute('path') ?? '/' });
    }
  }
}

/** The parsed JSON, or the text; undefined for an empty body. */
function parse(text: string): unknown {
  if (text === '') return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
