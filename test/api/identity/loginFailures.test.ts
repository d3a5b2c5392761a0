import { Client } from '../../support/api.js';
import { apiWorld } from '../../support/apiWorld.js';
import { asOwner } from '../../support/owner.js';
import { aMember, type Person } from '../../support/world.js';
import { forgetAttempts, givePassword, logIn } from './accounts.support.js';

const { api, world } = apiWorld();
beforeEach(forgetAttempts);

const aPerson = async (): Promise<Person> => {
  const person = await aMember(world.organizationId, world.chapterId);
  await givePassword(person.userId);
  return person;
};
const attempt = (email: string, password?: string) => logIn(new Client(api.url), { email, password });
const fail = (email: string, times: number) =>
  Promise.all(Array.from({ length: times }, () => attempt(email, 'wrong')));
const statuses = (answers: { status: number }[]) => answers.map(({ status }) => status).toSorted((a, b) => a - b);
const laterBy = (seconds: number) =>
  asOwner("UPDATE failure_budgets SET clear_at = clear_at - $1 * interval '1 second'", [seconds]);

test('of many concurrent wrong passwords exactly the budget is verified', async () => {
  const person = await aPerson();
  expect(statuses(await fail(person.email, 15))).toEqual([
    ...Array<number>(10).fill(401),
    ...Array<number>(5).fill(429),
  ]);
});

test('a used-up budget refuses the right password too, says for how long, and is restored after that time', async () => {
  const person = await aPerson();
  await fail(person.email, 10);
  const refused = await attempt(person.email);
  expect(refused.status).toBe(429);
  expect(refused.body.code).toBe('too_many_failures');
  const wait = Number(refused.headers.get('retry-after'));
  expect(wait).toBeGreaterThan(0);
  expect(wait).toBeLessThanOrEqual(20);

  await laterBy(wait);
  expect((await attempt(person.email)).status).toBe(200);
});

test('refused attempts do not make the wait longer', async () => {
  const person = await aPerson();
  await fail(person.email, 30);
  const { headers } = await attempt(person.email);
  expect(Number(headers.get('retry-after'))).toBeLessThanOrEqual(20);
});

test('an unknown account uses up its budget like a known one', async () => {
  const person = await aPerson();
  expect(statuses(await fail('nobody-at-all@example.org', 12))).toEqual(statuses(await fail(person.email, 12)));
});

test('right passwords use up no budget', async () => {
  const person = await aPerson();
  for (let n = 0; n < 12; n += 1) expect((await attempt(person.email)).status).toBe(200);
});

test('an account has one budget for all its addresses', async () => {
  const person = await aPerson();
  await asOwner('INSERT INTO user_emails (user_id, email, is_verified) VALUES ($1, $2, true)', [
    person.userId,
    `second-${person.email}`,
  ]);
  await fail(person.email, 10);
  expect((await attempt(`second-${person.email}`)).status).toBe(429);
});

test('failures of one account do not limit another until the network address has too many', async () => {
  const [person, other] = [await aPerson(), await aPerson()];
  await fail(person.email, 10);
  expect((await attempt(other.email)).status).toBe(200);

  await asOwner(
    `INSERT INTO failure_budgets (scope, key, clear_at) SELECT 'address', key, now() + interval '1 hour' FROM failure_budgets
      WHERE scope = 'address' ON CONFLICT (scope, key) DO UPDATE SET clear_at = excluded.clear_at`,
  );
  expect((await attempt(other.email)).status).toBe(429);
});

test('the table stores digests and deletes expired budgets', async () => {
  const person = await aPerson();
  await fail('somebody@example.org', 1);
  const budgets = await asOwner<{ key: string }>('SELECT key FROM failure_budgets');
  expect(JSON.stringify(budgets)).not.toMatch(/example|127\.0/);

  await laterBy(3600);
  await attempt(person.email);
  // These are the three budgets that the log-in itself used.
  expect(await asOwner('SELECT key FROM failure_budgets')).toHaveLength(3);
});
