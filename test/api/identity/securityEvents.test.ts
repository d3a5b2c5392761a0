import { Client } from '../../support/api.js';
import { apiWorld } from '../../support/apiWorld.js';
import { asOwner } from '../../support/owner.js';
import { countStatements } from '../../support/statements.js';
import { aMember, type Person } from '../../support/world.js';
import { Authenticator } from '../../support/authenticator.js';
import { forgetAttempts, givePassword, logIn, PASSWORD } from './accounts.support.js';
import { ORIGIN, register, signInWith } from './passkeys.support.js';

let person: Person;
let mine: Client;

const { api, world } = apiWorld();
beforeEach(forgetAttempts);
beforeEach(async () => {
  person = await aMember(world.organizationId, world.chapterId);
  mine = new Client(api.url, { token: person.token });
});

const list = (query = '') => mine.get(`/api/auth/security-events/${query}`);
const anEvent = (kind: string, userId = person.userId) =>
  asOwner('INSERT INTO security_events (user_id, kind) VALUES ($1, $2)', [userId, kind]);

test('the list shows sign-ins, refused ones and changes, newest first', async () => {
  await givePassword(person.userId);
  await logIn(new Client(api.url), { email: person.email, password: 'wrong' });
  await logIn(new Client(api.url), { email: person.email });
  await mine.post('/api/auth/emails/', { email: `further-${person.email}` });
  const { status, body } = await list();
  expect(status).toBe(200);
  expect(body.results.map(({ kind }: { kind: string }) => kind)).toEqual([
    'email.added',
    'session.started',
    expect.stringMatching(/^session\./),
  ]);
  expect(body.results[1]).toMatchObject({
    organization: world.organizationId,
    session: expect.any(String),
    ip_address: '127.0.0.1',
  });
});

test('the audit log names the request of each sign-in and the session of each change', async () => {
  await givePassword(person.userId);
  const sessionId = (await mine.get('/api/auth/sessions/')).body.results[0].id;
  const login = (password: string, id: string) =>
    new Client(api.url).post('/api/auth/login/', { email: person.email, password }, { 'X-Request-Id': id });
  await login('wrong', 'a-wrong-sign-in');
  await login(PASSWORD, 'a-sign-in');
  const asking = new Client(api.url, { token: person.token, headers: { 'X-Request-Id': 'a-passkey' } });
  const authenticator = new Authenticator(ORIGIN);
  expect((await register(asking, authenticator)).status).toBe(201);
  const signingIn = new Client(api.url, { headers: { Origin: ORIGIN, 'X-Request-Id': 'a-passkey-sign-in' } });
  expect((await signInWith(signingIn, authenticator)).status).toBe(200);

  const logged = await asOwner('SELECT action, request_id FROM audit_log WHERE subject_id = $1 ORDER BY id', [
    person.userId,
  ]);
  expect(logged).toEqual([
    { action: 'session.refused', request_id: 'a-wrong-sign-in' },
    { action: 'session.started', request_id: 'a-sign-in' },
    { action: 'passkey.added', request_id: 'a-passkey' },
    { action: 'session.started', request_id: 'a-passkey-sign-in' },
  ]);
  expect((await list('?kind=passkey.added')).body.results).toMatchObject([{ session: sessionId }]);
});

test('the list can be filtered by kind', async () => {
  for (const kind of ['password.changed', 'email.added', 'password.changed']) await anEvent(kind);
  expect((await list('?kind=password.changed')).body.count).toBe(2);
  expect((await list('?kind=passkey.added')).body).toMatchObject({ count: 0, results: [] });
  for (const kind of ['', 'x', "a.b';--"])
    expect((await list(`?kind=${encodeURIComponent(kind)}`)).body.errors).toHaveProperty('kind');
});

test('the list is paginated and costs the same statements at any length', async () => {
  await anEvent('password.changed');
  await list();
  const one = await countStatements(() => list());
  for (let n = 0; n < 30; n += 1) await anEvent('password.changed');
  expect(await countStatements(() => list())).toBe(one);
  const { body } = await list('?page=2');
  expect([body.count, body.results.length, body.next]).toEqual([31, 6, null]);
  expect((await list('?page=3')).body.code).toBe('page_not_found');
});

test("a person cannot see another person's events", async () => {
  await anEvent('password.changed', world.admin.userId);
  expect((await list()).body.count).toBe(0);
  expect((await new Client(api.url).get('/api/auth/security-events/')).status).toBe(401);
});
