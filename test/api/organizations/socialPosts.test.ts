/** Tests posts at the professional network: published once, by the author's account, or reported as unknown. */
import { MockActivityEnvironment } from '@temporalio/testing';
import { lookForPost, sendPost, untilPostIsDue } from '../../../activities/organizations/publishSocialPost.js';
import { type NetworkStandin, PATHS } from '../../../development/standins/socialnet/server.js';
import { jsonAnswer } from '../../../development/standins/kit/exchange.js';
import { publish } from '../../../gateways/socialnet/posts.js';
import { decrypt } from '../../../models/database/encryption.js';
import { apiWorld } from '../../support/apiWorld.js';
import { asOwner } from '../../support/owner.js';
import { behavesAsAResource } from '../../support/resource.js';
import { aMember, type Person } from '../../support/world.js';
import { comeBack, goAndReturn, startNetwork } from '../socialnet/socialnet.support.js';

const stage = apiWorld();
let network: NetworkStandin;
let author: Person;

const path = (rest = '', organization = stage.world.organizationId) =>
  `/api/organizations/${organization}/social-posts/${rest && `${rest}/`}`;
const client = () => stage.as(author);
let texts = 0;
const aText = () => `Rush begins on Monday (${(texts += 1)}) #rush`;

async function link(person: Person): Promise<void> {
  const { status } = await comeBack(stage.as(person), await goAndReturn(stage.as(person)));
  if (status !== 200) throw new Error(`Not linked: ${status}`);
}

async function aDraft(fields: object = {}): Promise<string> {
  const { status, body } = await client().post(path(), { text: aText(), ...fields });
  if (status !== 201) throw new Error(JSON.stringify(body));
  return body.id;
}

async function aScheduled(): Promise<string> {
  const id = await aDraft();
  const { status, body } = await client().post(path(`${id}/publish`), {});
  if (status !== 202) throw new Error(JSON.stringify(body));
  return id;
}

const input = (socialPostId: string) => ({ organizationId: stage.world.organizationId, socialPostId });
const inMock = <Input, Output>(step: (given: Input) => Promise<Output>, given: Input): Promise<Output> =>
  new MockActivityEnvironment().run<[Input], Output, (given: Input) => Promise<Output>>(step, given);
const send = (id: string) => inMock(sendPost, input(id));
const lookFor = (id: string, isLast = false) => inMock(lookForPost, { ...input(id), isLast });
const read = async (id: string) => (await client().get(path(id))).body;
const notificationsOfAuthor = () =>
  asOwner(
    "SELECT title FROM notifications WHERE notification_type = 'social_post_not_published' AND recipient_id = $1",
    [author.userId],
  );

beforeAll(async () => {
  network = await startNetwork();
  author = stage.world.admin;
  await link(author);
});
afterAll(() => network.close());

behavesAsAResource({
  stage,
  address: '/api/organizations/:organization_id/social-posts',
  subject: 'social_post',
  mayRead: ['admin'],
  mayWrite: ['admin'],
  body: (_, n) => ({ text: `We met today, ${n}.`, link_url: 'https://example.org/news' }),
  edit: (n) => ({ text: `We meet tomorrow, ${n}.` }),
  bad: [
    [{ text: '' }, 'text'],
    [{ text: 'x'.repeat(3_001) }, 'text'],
    [{ link_url: 'javascript:alert(1)' }, 'link_url'],
    [{ status: 'published' }, 'status'],
    [{ author: '00000000-0000-7000-8000-000000000000' }, 'author'],
  ],
});

test("a post is published once, as it was written, through its author's account", async () => {
  const text = `Meet us (at 7) & say *hello* ${aText()}`;
  const id = await aDraft({ text, link_url: 'https://example.org/rush' });
  expect((await client().post(path(`${id}/publish`), {})).body).toMatchObject({ status: 'scheduled' });
  expect([await inMock(untilPostIsDue, input(id)), await send(id), await send(id)]).toEqual([
    0,
    'published',
    'published',
  ]);
  const [post, ...others] = network.posts().filter(({ commentary }) => commentary.includes('say'));
  expect([post?.commentary, others]).toEqual([
    expect.stringContaining(String.raw`Meet us \(at 7\) & say \*hello\*`),
    [],
  ]);
  expect(post?.commentary).toContain('#rush');
  expect(await read(id)).toMatchObject({ status: 'published', network_post_id: post?.id, failure: null });
  const again = await client().post(path(`${id}/publish`), {});
  expect([again.status, again.body.code]).toEqual([409, 'social_post_published']);
  expect((await client().patch(path(id), { text: 'Other' })).body.code).toBe('social_post_closed');
  expect((await client().delete(path(id))).body.code).toBe('social_post_closed');
});

test('a scheduled post waits, and an unscheduled one is a draft again', async () => {
  const id = await aDraft();
  const at = new Date(Date.now() + 3_600_000).toISOString();
  await client().post(path(`${id}/publish`), { publish_at: at });
  expect(await inMock(untilPostIsDue, input(id))).toBeGreaterThan(3_500);
  expect(await send(id)).toBe('later');
  expect((await client().post(path(`${id}/unschedule`))).body).toMatchObject({ status: 'draft', publish_at: null });
  expect([await inMock(untilPostIsDue, input(id)), await send(id)]).toEqual([null, 'called_off']);
  expect((await client().post(path(`${id}/unschedule`))).body.code).toBe('social_post_not_scheduled');
  const far = await client().post(path(`${id}/publish`), { publish_at: '2199-01-01T00:00:00Z' });
  expect([far.status, Object.keys(far.body.errors)]).toEqual([400, ['publish_at']]);
});

test.each(['drop', 'hang'] as const)(
  'a post with a lost answer (%s) is searched for and not sent twice',
  async (how) => {
    const id = await aScheduled();
    const { text } = await read(id);
    const before = network.posts().length;
    network.injectFault(PATHS.posts, how);
    expect([await send(id), await send(id)]).toEqual(['unknown', 'unknown']);
    expect(network.posts().length).toBe(before);
    expect(await lookFor(id)).toBeNull();
    // The network accepted the post and shows it a little later.
    await postAs(text);
    expect([await lookFor(id), await lookFor(id)]).toEqual(['published', null]);
    expect(await read(id)).toMatchObject({ status: 'published' });
  },
);

/** Publishes a post of the author at the network, as an earlier request could have. */
async function postAs(text: string): Promise<void> {
  const [account] = await asOwner<{ id: string; subject: string; access_token_encrypted: string }>(
    'SELECT * FROM social_accounts WHERE user_id = $1',
    [author.userId],
  );
  if (!account) throw new Error('Not linked.');
  const place = { table: 'social_accounts', column: 'access_token_encrypted', rowId: account.id };
  const accessToken = decrypt(account.access_token_encrypted, place);
  await publish({ accessToken, subject: account.subject, text, linkUrl: null });
}

test('a post that cannot be found is unknown, its author is notified, and a search precedes sending it again', async () => {
  const id = await aScheduled();
  const { text } = await read(id);
  network.injectFault(PATHS.posts, jsonAnswer(500, {}));
  const before = (await notificationsOfAuthor()).length;
  expect([await send(id), await lookFor(id, true)]).toEqual(['unknown', 'unknown']);
  expect((await notificationsOfAuthor()).length).toBe(before + 1);
  expect((await client().post(path(`${id}/publish`), {})).body.code).toBe('social_post_unknown');
  await postAs(text);
  const count = network.posts().length;
  expect((await client().post(path(`${id}/publish`), { again: true })).status).toBe(202);
  expect(await send(id)).toBe('published');
  expect(network.posts()).toHaveLength(count);
});

test('where the network allows no search, a post is sent again after its author has checked', async () => {
  const id = await aScheduled();
  network.injectFault(PATHS.posts, jsonAnswer(500, {}));
  expect([await send(id), await lookFor(id, true)]).toEqual(['unknown', 'unknown']);
  await client().post(path(`${id}/publish`), { again: true });
  const before = network.posts().length;
  network.injectFault(PATHS.posts, jsonAnswer(403, { message: 'Not enough permissions.' }));
  expect(await send(id)).toBe('published');
  expect(network.posts()).toHaveLength(before + 1);
});

test.each([
  [401, 'not_linked'],
  [403, 'not_permitted'],
  [422, 'refused'],
])('a post that the network refuses with %s has failed as %s, and its author is notified', async (status, failure) => {
  const id = await aScheduled();
  network.injectFault(PATHS.posts, jsonAnswer(status, { message: 'No.' }));
  const before = (await notificationsOfAuthor()).length;
  expect([await send(id), await send(id)]).toEqual(['failed', 'failed']);
  expect(await read(id)).toMatchObject({ status: 'failed', failure });
  expect((await notificationsOfAuthor()).length).toBe(before + 1);
  // After a correction it is published.
  expect((await client().patch(path(id), { text: aText() })).status).toBe(200);
  await client().post(path(`${id}/publish`), {});
  expect(await send(id)).toBe('published');
});

test('a post waits as long as a rate-limited network requests', async () => {
  const id = await aScheduled();
  network.injectFault(PATHS.posts, jsonAnswer(429, {}, { 'Retry-After': '600' }));
  expect(await send(id)).toBe('later');
  expect(await read(id)).toMatchObject({ status: 'scheduled' });
  expect(await inMock(untilPostIsDue, input(id))).toBeGreaterThan(590);
  // It is not published yet, so its author may still change and unschedule it.
  expect((await client().patch(path(id), { text: aText() })).status).toBe(200);
  expect((await client().post(path(`${id}/unschedule`))).body).toMatchObject({ status: 'draft', publish_at: null });
});

test('a post of unknown outcome stays unknown while a rate limit or a lost account prevents the search', async () => {
  const id = await aScheduled();
  network.injectFault(PATHS.posts, jsonAnswer(500, {}));
  expect([await send(id), await lookFor(id, true)]).toEqual(['unknown', 'unknown']);
  const again = () => client().post(path(`${id}/publish`), { again: true });
  await again();
  network.injectFault(PATHS.posts, jsonAnswer(429, {}, { 'Retry-After': '600' }));
  expect(await send(id)).toBe('later');
  expect((await client().post(path(`${id}/unschedule`))).body).toMatchObject({ status: 'unknown' });
  await again();
  network.injectFault(PATHS.posts, jsonAnswer(401, { message: 'No.' }));
  expect(await send(id)).toBe('unknown');
  await again();
  // Another person becomes administrator instead.
  await asOwner('INSERT INTO organization_admins (organization_id, user_id) VALUES ($1, $2)', [
    stage.world.organizationId,
    stage.world.officer.userId,
  ]);
  await asOwner('UPDATE organization_admins SET is_active = false WHERE user_id = $1', [author.userId]);
  expect(await send(id)).toBe('unknown');
  await asOwner('UPDATE organization_admins SET is_active = true WHERE user_id = $1', [author.userId]);
  expect(await read(id)).toMatchObject({ status: 'unknown', failure: null });
});

test('a post of a former administrator fails', async () => {
  const other = await anAdmin();
  await link(other);
  const { body } = await stage.as(other).post(path(), { text: aText() });
  await stage.as(other).post(path(`${body.id}/publish`), {});
  await asOwner('UPDATE organization_admins SET is_active = false WHERE user_id = $1', [other.userId]);
  expect(await send(body.id)).toBe('failed');
  expect(await read(body.id)).toMatchObject({ status: 'failed', failure: 'not_an_admin' });
  const notified = await asOwner<{ recipient_id: string }>(
    "SELECT recipient_id FROM notifications WHERE notification_type = 'social_post_not_published' AND subject_id = $1",
    [body.id],
  );
  const people = notified.map(({ recipient_id }) => recipient_id);
  expect([people.includes(other.userId), people.includes(stage.world.admin.userId)]).toEqual([true, true]);
});

test('a post can be published and changed only by its author with an own account', async () => {
  const id = await aDraft();
  const other = stage.as(await anAdmin());
  for (const request of [
    other.post(path(`${id}/publish`), {}),
    other.post(path(`${id}/unschedule`)),
    other.patch(path(id), { text: 'Other' }),
  ]) {
    const { status, body } = await request;
    expect([status, body.code]).toEqual([403, 'social_post_not_yours']);
  }
  const own = await other.post(path(), { text: aText() });
  expect((await other.post(path(`${own.body.id}/publish`), {})).body.code).toBe('social_account_missing');
});

test("a confined session cannot publish in the person's name", async () => {
  const admin = await anAdmin();
  const { body } = await stage.as(admin).post(path(), { text: aText() });
  await asOwner(
    "UPDATE sessions SET confined = true, auth_method = 'oauth', provider_answered_at = now() WHERE user_id = $1",
    [admin.userId],
  );
  const answer = await stage.as(admin).post(path(`${body.id}/publish`), {});
  expect([answer.status, answer.body.code]).toEqual([403, 'session_confined']);
});

test('ten concurrent requests to publish make one post', async () => {
  const id = await aDraft();
  const answers = await Promise.all(Array.from({ length: 10 }, () => client().post(path(`${id}/publish`), {})));
  expect(answers.every(({ status }) => status === 202 || status === 409)).toBe(true);
  const before = network.posts().length;
  const ends = await Promise.all(Array.from({ length: 5 }, () => send(id)));
  expect(ends).toContain('published');
  expect(network.posts()).toHaveLength(before + 1);
});

async function anAdmin(): Promise<Person> {
  const person = await aMember(stage.world.organizationId, stage.world.chapterId);
  await asOwner('INSERT INTO organization_admins (organization_id, user_id) VALUES ($1, $2)', [
    stage.world.organizationId,
    person.userId,
  ]);
  return person;
}
