/** A change of one's own in one message with the look-up of who asks, beside the ordinary way. */
import { z } from 'zod';
import { by, nationalAdmin, policy, withoutRule } from '../../../api/http/policy.js';
import { post, type Route } from '../../../api/http/routes.js';
import { allRoutes } from '../../../api/routes.js';
import { Client, type RunningApi, startApi } from '../../support/api.js';
import { apiWorld } from '../../support/apiWorld.js';
import { asOwner } from '../../support/owner.js';
import { countStatements } from '../../support/statements.js';
import { aMember, signIn } from '../../support/world.js';
import { impersonating } from '../identity/impersonation.support.js';

const stage = apiWorld();
const PATH = '/api/notifications/mark_read/';

let ordinary: RunningApi;
beforeAll(async () => {
  ordinary = await startApi({
    routes: allRoutes.map((route): Route => {
      const { singleMessageWrite: _, ...spec } = route.spec;
      return { ...route, spec };
    }),
  });
});
afterAll(() => ordinary.close());

interface Reader {
  token: string;
  userId: string;
  headers?: Record<string, string>;
}

async function unread({ userId }: { userId: string }, organizationId = stage.world.organizationId): Promise<void> {
  await asOwner(
    `INSERT INTO notifications (organization_id, recipient_id, event_id, notification_type, event_type, title, subject_type, subject_id)
     VALUES ($1, $2, 'probe:' || uuidv7(), 'something_new', 'new_post', 'News', 'post', uuidv7())`,
    [organizationId, userId],
  );
}

const readNow = async ({ userId }: { userId: string }): Promise<number> =>
  (
    await asOwner<{ n: number }>('SELECT count(read_at)::int AS n FROM notifications WHERE recipient_id = $1', [userId])
  )[0]?.n as number;

const mark = (api: RunningApi, { token, headers = {} }: Reader) =>
  new Client(api.url, { token, headers }).post(PATH, { mark_all: true });

test('it is one message, which is committed when it is answered', async () => {
  const { member } = stage.world;
  await mark(stage.api, member);
  await unread(member);
  expect(await countStatements(() => mark(stage.api, member))).toBe(1);
  expect(await readNow(member)).toBe(1);
});

test.each<[string, (person: Reader & { membershipId: string }) => Promise<Reader>]>([
  [
    'whose membership has ended',
    async (person) => {
      await asOwner(`UPDATE memberships SET status = 'inactive' WHERE id = $1`, [person.membershipId]);
      return person;
    },
  ],
  [
    'who has a password to change',
    async (person) => {
      await asOwner('UPDATE users SET must_change_password = true WHERE id = $1', [person.userId]);
      return person;
    },
  ],
  [
    'whose session was ended',
    async (person) => {
      await asOwner('UPDATE sessions SET revoked_at = now() WHERE user_id = $1', [person.userId]);
      return person;
    },
  ],
  [
    'whose account is disabled',
    async (person) => {
      await asOwner('UPDATE users SET disabled_at = now() WHERE id = $1', [person.userId]);
      return person;
    },
  ],
  [
    'who names another organization',
    async (person) => ({ ...person, headers: { 'X-Organization-Id': stage.other.organizationId } }),
  ],
  ['who names no organization at all', async (person) => ({ ...person, headers: { 'X-Organization-Id': 'mine' } })],
  [
    'as whom an admin sees the platform',
    async (person) => {
      const { access } = await impersonating(stage.api.url, stage.world, person.membershipId);
      return { ...person, token: access };
    },
  ],
])('a person %s is refused as ever, and nothing has changed', async (_, becomes) => {
  const { organizationId, chapterId } = stage.world;
  const made = await aMember(organizationId, chapterId);
  await unread(made);
  const person = await becomes({ ...made, token: await signIn(made.userId, organizationId) });
  const short = await mark(stage.api, person);
  expect(await readNow(made)).toBe(0);
  const long = await mark(ordinary, person);
  expect(short.status).toBeGreaterThanOrEqual(400);
  expect([short.status, short.body.code]).toEqual([long.status, long.body.code]);
  expect(await readNow(made)).toBe(0);
});

test('it changes what is of the organization of the session, and of nobody else', async () => {
  const { organizationId, chapterId, officer } = stage.world;
  const person = await aMember(organizationId, chapterId);
  await unread(person);
  await unread(person, stage.other.organizationId);
  await unread(officer);
  const before = await readNow(officer);
  const token = await signIn(person.userId, organizationId);
  expect(await mark(stage.api, { ...person, token })).toMatchObject({
    status: 200,
    body: { updated: 1, unread_count: 0 },
  });
  expect([await readNow(person), await readNow(officer)]).toEqual([1, before]);
});

test('what cannot be read of the body is refused before anything is asked', async () => {
  const client = new Client(stage.api.url, { token: stage.world.member.token });
  expect(await client.post(PATH, { mark_all: true, notification_ids: [] })).toMatchObject({ status: 400 });
});

test.each([
  ['that needs a proof of who one is', { stepUp: 'tenant' }],
  ['of the account', { access: 'account' }],
  ['whose rule admits a few', { rule: by(policy('probe of changes', { write: [nationalAdmin] }), 'write') }],
  ['that is closed to sessions of an identity provider', { confined: 'closed' }],
])('a route %s cannot change anything ahead', async (_, more) => {
  const route = post('/api/probe/', { ...PROBE, ...more } as never, async () => undefined);
  await expect(startApi({ routes: [route] })).rejects.toThrow('is not open to all members');
});

test('one whose address says of what cannot either', async () => {
  const route = post(
    '/api/probe/:id/',
    { ...PROBE, params: z.object({ id: z.uuid() }) } as never,
    async () => undefined,
  );
  await expect(startApi({ routes: [route] })).rejects.toThrow('is not open to all members');
});

const PROBE = {
  summary: 'A probe',
  access: 'tenant',
  rule: withoutRule('a probe'),
  response: z.object({ a: z.int() }),
  changesAhead: { statement: () => ({ text: 'SELECT 1 AS a', values: [] }), answer: () => '{"a":1}' },
} as const;
