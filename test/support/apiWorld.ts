/** The common start of API tests. */
import { randomUUID } from 'node:crypto';
import type { ServerOptions } from '../../api/server.js';
import { closeTemporal } from '../../gateways/temporal/client.js';
import { Client, type Reply, type RunningApi, startApi } from './api.js';
import { closeOwner } from './owner.js';
import { aWorld, type World } from './world.js';

/** The API of a test file, two independent organizations, and clients for their people. */
export class ApiWorld {
  constructor(
    readonly api = {} as RunningApi,
    readonly world = {} as World,
    readonly other = {} as World,
  ) {}

  /** A native client of this person. */
  readonly as = (person: { token: string }, headers: Record<string, string> = {}): Client =>
    new Client(this.url, { token: person.token, headers });

  get admin(): Client {
    return this.as(this.world.admin);
  }
  get officer(): Client {
    return this.as(this.world.officer);
  }
  get member(): Client {
    return this.as(this.world.member);
  }
  get nobody(): Client {
    return new Client(this.url);
  }

  private get url(): string {
    if (!this.api.url) throw new Error('The API starts before the first test: take clients in tests and hooks.');
    return this.api.url;
  }
}

/**
 * Starts the API in this process, before the tests of a file, over two new organizations, and ends it after them:
 *
 *     const { api, world, other, as } = apiWorld();
 *
 * The returned objects exist at once and are filled before the file's own hooks run, so that they can be destructured; only the
 * clients `admin`, `officer`, `member` and `nobody` are created on access (`stage.admin.get(…)`). Assign changes of `config` above
 * the call.
 * @param options other routes or throttles than the real ones
 */
export function apiWorld(options: ServerOptions = {}): ApiWorld {
  const stage = new ApiWorld(anApi(options));
  beforeAll(async () => {
    // One after the other: some lists are in the order of creation.
    Object.assign(stage.world, await aWorld());
    Object.assign(stage.other, await aWorld());
  });
  return stage;
}

/** Starts the API as `apiWorld` does, without organizations. */
export function anApi(options: ServerOptions = {}): RunningApi {
  const api = {} as RunningApi;
  beforeAll(async () => void Object.assign(api, await startApi(options)));
  afterAll(async () => {
    await api.close();
    await closeTemporal();
    await closeOwner();
  });
  return api;
}

/** Expects the same answer for another tenant's id, an unknown id and an invalid id. */
export async function expectNowhere(foreignId: string, ask: (id: string) => Promise<Reply<unknown>>): Promise<void> {
  const answers = [await ask(foreignId), await ask(randomUUID()), await ask('not-an-id')];
  for (const { status, body } of answers) {
    expect(status).toBe(404);
    expect(body).toEqual(answers[0]?.body);
  }
}
