/** What the TypeScript client sends again, and what it reports when an answer is lost. */
import { anAnswer, createClient, disconnect, FailingServer, hang, Store, truncate } from './client.support.js';

const server = new FailingServer();
beforeAll(() => server.start());
afterAll(() => server.stop());

const aClient = (options: object = {}) => createClient({ baseUrl: server.url, session: new Store(), ...options });

const read = (options = {}) => aClient(options).GET('/api/auth/me/');
const change = (options = {}) => aClient(options).POST('/api/auth/emails/', { body: { email: 'a@example.org' } });

const done = anAnswer(200, { done: true });
const aPage = anAnswer(200, 'Sign in to the network', { 'Content-Type': 'text/html' });
const refusal = (status: number, headers = {}) => anAnswer(status, { detail: 'Not now.', code: 'busy' }, headers);
const answered = { ok: true, data: { done: true } };
const refused = { kind: 'refused', code: 'busy', detail: 'Not now.' };
const noAnswer = { kind: 'refused', status: 0, code: 'no_answer' };
const unknown = { ok: false, kind: 'unknown', requestId: expect.stringMatching(/^[0-9a-z]+-[0-9a-z]+$/) };

const CASES = [
  ['a read is sent again after lost connections', read, [disconnect, truncate, done], answered, 3],
  ['a read is given up after three lost connections', read, [disconnect, disconnect, disconnect], noAnswer, 3],
  ['a read waits for a short Retry-After', read, [refusal(503, { 'Retry-After': '0' }), done], answered, 2],
  [
    'a read is not sent again after a long Retry-After',
    read,
    [refusal(429, { 'Retry-After': '11' })],
    { ...refused, status: 429, retryAfter: 11 },
    1,
  ],
  ['a read that failed is not sent again', read, [refusal(500)], { ...refused, status: 500 }, 1],
  ["a proxy's page is no answer of the API", read, [anAnswer(502, 'Bad gateway')], { ...noAnswer, status: 502 }, 1],
  ["a proxy's page with the status of a success is none either", read, [aPage], noAnswer, 1],
  ["a change that a proxy's page answers is unknown", change, [aPage], unknown, 1],
  ['a change without an answer is unknown', change, [disconnect], unknown, 1],
  ['a change with half an answer is unknown', change, [truncate], unknown, 1],
  [
    'a change with a fault is unknown, and is not sent again',
    change,
    [refusal(503, { 'Retry-After': '0' })],
    unknown,
    1,
  ],
  [
    'a change is not sent again after a Retry-After',
    change,
    [refusal(409, { 'Retry-After': '1' })],
    { ...refused, status: 409, retryAfter: 1 },
    1,
  ],
] as const;

test.each(CASES)('%s', async (_name, call, behaviours, result, requests) => {
  server.next(...behaviours);
  expect(await call()).toMatchObject(result);
  expect(server.requests).toHaveLength(requests);
});

test('a call that takes too long is given up, and a read that its caller aborts rejects', async () => {
  server.next(hang, hang, hang);
  expect(await change({ timeoutMs: 50 })).toMatchObject(unknown);
  expect(await read({ timeoutMs: 50 })).toMatchObject(noAnswer);
  const controller = new AbortController();
  const aborted = aClient().GET('/api/auth/me/', { signal: controller.signal });
  controller.abort(new Error('The user has left.'));
  await expect(aborted).rejects.toThrow('The user has left.');
});

test('a sign-in that waits for another one is given up in time, and is not sent later', async () => {
  const session = new Store();
  const signIn = (timeoutMs: number) => aClient({ session }).POST('/api/auth/login/', { body: {}, timeoutMs });
  server.next(hang, done);
  const first = signIn(300);
  expect(await Promise.race([signIn(50), first.then(() => 'the first')])).toMatchObject(unknown);
  await first;
  await signIn(10_000);
  expect(server.requests).toHaveLength(2);
});

test('later calls send the position of the last change', async () => {
  const client = aClient();
  server.next(anAnswer(200, {}, { 'X-Read-After': 'position' }), done);
  await client.POST('/api/auth/logout/', { body: {} });
  await client.GET('/api/auth/me/');
  expect(server.requests.map(({ headers }) => headers['x-read-after'])).toEqual([undefined, 'position']);
});
