import { config } from '../../../config.js';
import { verifyToken } from '../../../models/identity/tokens.js';
import { Client } from '../../support/api.js';
import { apiWorld } from '../../support/apiWorld.js';
import { asOwner } from '../../support/owner.js';
import { aMember, type Person } from '../../support/world.js';
import { aBrowser, aNativeClient, forgetAttempts, givePassword, PASSWORD, sessionOf } from './accounts.support.js';

let person: Person;

const { api, world } = apiWorld();
beforeEach(async () => {
  await forgetAttempts();
  config.REFRESH_GRACE_SECONDS = 10;
  person = await aMember(world.organizationId, world.chapterId);
  await givePassword(person.userId);
});
afterEach(() => {
  config.REFRESH_GRACE_SECONDS = 0;
});

const refresh = (token: string) => new Client(api.url).post('/api/auth/token/refresh/', { refresh_token: token });
const rowOf = (token: string) => verifyToken(token, 'refresh')?.jti;
const tokensOf = () =>
  asOwner<{ id: string; live: boolean }>(
    `SELECT t.id, t.used_at IS NULL AS live FROM refresh_tokens t JOIN sessions s ON s.id = t.session_id
      WHERE s.user_id = $1 AND s.id = (SELECT max(id::text)::uuid FROM sessions WHERE user_id = $1) ORDER BY t.id`,
    [person.userId],
  );
const later = (seconds: number) =>
  asOwner(
    `UPDATE refresh_tokens SET used_at = used_at - $2 * interval '1 second'
      WHERE session_id IN (SELECT id FROM sessions WHERE user_id = $1)`,
    [person.userId, seconds],
  );

test('within the grace period ten concurrent refreshes get one successor and write no more rows', async () => {
  const { refreshToken } = await aNativeClient(api.url, person.email);
  const answers = await Promise.all(Array.from({ length: 10 }, () => refresh(refreshToken)));
  expect(answers.map(({ status }) => status)).toEqual(Array<number>(10).fill(200));
  expect(new Set(answers.map(({ body }) => rowOf(body.refresh_token))).size).toBe(1);
  expect((await tokensOf()).map(({ live }) => live)).toEqual([false, true]);
  for (const { body } of answers)
    expect((await new Client(api.url, { token: body.access_token }).get('/api/auth/me/')).status).toBe(200);
});

test('a browser that missed the answer gets the same successor in its cookies', async () => {
  const browser = await aBrowser(api.url, person.email);
  const old = browser.cookie('refresh_token') as string;
  await browser.post('/api/auth/token/refresh/');
  const first = rowOf(browser.cookie('refresh_token') as string);
  browser.setCookie('refresh_token', old);
  expect((await browser.post('/api/auth/token/refresh/')).status).toBe(200);
  expect(rowOf(browser.cookie('refresh_token') as string)).toBe(first);
});

test('after the grace period the same token ends the session', async () => {
  const { refreshToken } = await aNativeClient(api.url, person.email);
  await refresh(refreshToken);
  await later(9);
  expect((await refresh(refreshToken)).status).toBe(200);
  await later(2);
  expect((await refresh(refreshToken)).body.code).toBe('refresh_token_reused');
  expect((await sessionOf(person.userId))[0]?.revoked_reason).toBe('refresh_token_reused');
});

test('only the immediate predecessor of a live token is accepted, and an older one ends the session', async () => {
  const { refreshToken } = await aNativeClient(api.url, person.email);
  const { body } = await refresh(refreshToken);
  expect((await refresh(body.refresh_token)).status).toBe(200);
  expect((await refresh(refreshToken)).body.code).toBe('refresh_token_reused');
});

test('a token that a password change or a switch used up is not accepted again', async () => {
  const { client, refreshToken } = await aNativeClient(api.url, person.email);
  const changed = await client.post('/api/auth/password/change/', {
    current_password: PASSWORD,
    new_password: 'another-orchid-lantern-93',
  });
  expect(changed.status).toBe(200);
  expect((await refresh(refreshToken)).body.code).toBe('refresh_token_reused');
});

test('an ended membership or session gets no successor within the grace period', async () => {
  const [first, second] = [await aNativeClient(api.url, person.email), await aNativeClient(api.url, person.email)];
  await Promise.all([refresh(first.refreshToken), refresh(second.refreshToken)]);
  await first.client.post('/api/auth/logout/');
  expect((await refresh(first.refreshToken)).body.code).toBe('session_ended');
  await asOwner("UPDATE memberships SET status = 'inactive' WHERE id = $1", [person.membershipId]);
  expect((await refresh(second.refreshToken)).body.code).toBe('membership_ended');
});

test('without a grace period a token is valid for one use, as the specification says', async () => {
  config.REFRESH_GRACE_SECONDS = 0;
  const { refreshToken } = await aNativeClient(api.url, person.email);
  await refresh(refreshToken);
  expect((await refresh(refreshToken)).body.code).toBe('refresh_token_reused');
});

/** Returns a random number generator with a seed, so that a failure can be repeated. */
function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

test.each([11, 22, 33, 44])(
  'after refreshes in random order (seed %i) a session follows the model: live token, accepted predecessor, or its end',
  async (seed) => {
    const random = numbers(seed);
    const { refreshToken } = await aNativeClient(api.url, person.email);
    const chain = [refreshToken];
    let [ended, forgiven] = [false, false];
    for (let step = 0; step < 20; step += 1) {
      const choice = random();
      if (choice < 0.15) {
        await later(11);
        forgiven = false;
        continue;
      }
      // Takes mostly the newest two tokens, else any.
      const back = choice < 0.6 ? 0 : choice < 0.9 ? 1 : Math.floor(random() * chain.length);
      const at = Math.max(0, chain.length - 1 - back);
      const { status, body } = await refresh(chain[at] as string);
      if (ended) {
        expect([status, body.code]).toEqual([401, 'session_ended']);
      } else if (at === chain.length - 1) {
        expect(status).toBe(200);
        chain.push(body.refresh_token as string);
        forgiven = true;
      } else if (at === chain.length - 2 && forgiven) {
        expect([status, rowOf(body.refresh_token as string)]).toEqual([200, rowOf(chain.at(-1) as string)]);
      } else {
        expect([status, body.code]).toEqual([401, 'refresh_token_reused']);
        ended = true;
      }
      expect((await tokensOf()).filter(({ live }) => live)).toHaveLength(1);
    }
  },
);
