/** Two organizations and clients for their people, for the tests of one resource. */
import { randomUUID } from 'node:crypto';
import { Client, type Reply, type RunningApi, startApi } from '../../support/api.js';
import { closeOwner } from '../../support/owner.js';
import { aWorld, type World } from '../../support/world.js';

export class Stage {
  api!: RunningApi;
  world!: World;
  other!: World;

  as = (person: { token: string }, headers: Record<string, string> = {}): Client =>
    new Client(this.api.url, { token: person.token, headers });
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
    return new Client(this.api.url);
  }
}

/** Starts the API over two fresh worlds before the tests of a file, and ends it after them. */
export function aStage(): Stage {
  const stage = new Stage();
  beforeAll(async () => {
    stage.api = await startApi();
    [stage.world, stage.other] = [await aWorld(), await aWorld()];
  }, 60_000);
  afterAll(async () => {
    await stage.api.close();
    await closeOwner();
  });
  return stage;
}

/** Expects another tenant's id, an unknown one and one that is none to be answered alike. */
export async function expectNowhere(foreignId: string, ask: (id: string) => Promise<Reply<unknown>>): Promise<void> {
  const answers = [await ask(foreignId), await ask(randomUUID()), await ask('not-an-id')];
  for (const { status, body } of answers) {
    expect(status).toBe(404);
    expect(body).toEqual(answers[0]?.body);
  }
}
