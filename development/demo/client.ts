/** The demo's client: signs in as a native client and returns each answer. */
import type { DemoPerson } from './facts.js';

export interface Answer {
  status: number;
  body: Record<string, unknown>;
}

/** Thrown when a step of the demo does not go as expected. */
export class DemoFailed extends Error {
  override readonly name = 'DemoFailed';
}

const TIMEOUT_MS = 30_000;

export class DemoClient {
  private constructor(
    private readonly baseUrl: string,
    readonly token: string | null,
  ) {}

  /** Returns a client that is not signed in. */
  static anonymous(baseUrl: string): DemoClient {
    return new DemoClient(baseUrl, null);
  }

  /** @throws DemoFailed when the platform does not answer or refuses */
  static async signIn(baseUrl: string, { email, password }: DemoPerson, organization?: string): Promise<DemoClient> {
    const { status, body } = await DemoClient.anonymous(baseUrl).post('/api/auth/login/', {
      email,
      password,
      ...(organization && { organization }),
    });
    if (status !== 200 || typeof body['access_token'] !== 'string')
      throw new DemoFailed(`${email} could not sign in: ${problem(body)}`);
    return new DemoClient(baseUrl, body['access_token']);
  }

  /** @throws DemoFailed unless the status is 200 */
  async get<Body>(path: string): Promise<Body> {
    const { status, body } = await this.ask('GET', path);
    if (status !== 200) throw new DemoFailed(`GET ${path} answered ${status}: ${problem(body)}`);
    return body as Body;
  }

  post(path: string, body: object): Promise<Answer> {
    return this.ask('POST', path, body);
  }

  /** @throws DemoFailed unless the status is 200 */
  async put(path: string, body: object): Promise<void> {
    const answer = await this.ask('PUT', path, body);
    if (answer.status !== 200) throw new DemoFailed(`PUT ${path} answered ${answer.status}: ${problem(answer.body)}`);
  }

  patch(path: string, body: object): Promise<Answer> {
    return this.ask('PATCH', path, body);
  }

  /** Sends a file as multipart form data. */
  upload(path: string, name: string, content: string): Promise<Answer> {
    const form = new FormData();
    form.append('file', new Blob([content]), name);
    return this.send('POST', path, form);
  }

  private ask(method: string, path: string, body?: object): Promise<Answer> {
    return this.send(method, path, body && JSON.stringify(body));
  }

  private async send(method: string, path: string, body?: string | FormData): Promise<Answer> {
    try {
      const answer = await fetch(this.baseUrl + path, {
        method,
        headers: {
          // fetch sets the content type of form data itself.
          ...(body instanceof FormData ? {} : { 'Content-Type': 'application/json' }),
          'X-Client': 'native',
          ...(this.token ? { Authorization: `Bearer ${this.token}` } : {}),
        },
        ...(body === undefined ? {} : { body }),
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
      const { status } = answer;
      return { status, body: status === 204 ? {} : ((await answer.json()) as Record<string, unknown>) };
    } catch (error) {
      throw new DemoFailed(
        `${method} ${this.baseUrl}${path} was not answered (${(error as Error).message}). Is npm start running?`,
      );
    }
  }
}

/** Formats an error body: the code, the text for people, and the errors of single fields. */
export const problem = (body: Record<string, unknown>): string => {
  const errors = body['errors'] ? ` ${JSON.stringify(body['errors'])}` : '';
  return `${String(body['code'])}: ${String(body['detail'])}${errors}`;
};

export type Row = Record<string, unknown> & { id: string };
export interface Page {
  results: Row[];
}

/** Returns the body of an answer with the expected status. @throws DemoFailed on any other status */
export async function expectStatus(answer: Promise<Answer>, expected = 200): Promise<Row> {
  const { status, body } = await answer;
  if (status !== expected) throw new DemoFailed(`Answered ${status} and not ${expected}: ${problem(body)}`);
  return body as Row;
}
