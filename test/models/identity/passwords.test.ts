/** @jest-environment node */
import { inHashSlot } from '../../../models/identity/hashSlots.js';
import { hashPassword, verifyPassword } from '../../../models/identity/password/passwordHash.js';
import { requireGoodPassword } from '../../../models/identity/password/passwordRules.js';
import { processorTime } from '../../support/processorTime.js';

const owner = { email: 'jordan.whitfield@example.org', first_name: 'Jordan', last_name: 'Whitfield' };

test('a password hash is argon2id with its own salt, and verifies only its password', async () => {
  const [hash, again] = [await hashPassword('walnut-comet-drizzle-19'), await hashPassword('walnut-comet-drizzle-19')];
  expect(hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  expect(again).not.toBe(hash);
  expect(await verifyPassword('walnut-comet-drizzle-19', hash)).toBe(true);
  expect(await verifyPassword('walnut-comet-drizzle-18', hash)).toBe(false);
  expect(await verifyPassword('', hash)).toBe(false);
});

test('an account without a password accepts no password', async () => {
  expect(await verifyPassword('', null)).toBe(false);
  expect(await verifyPassword('anything', null)).toBe(false);
});

test('the same text in other code points is the same password', async () => {
  expect(await verifyPassword('cafe\u0301-walnut-comet', await hashPassword('caf\u00e9-walnut-comet'))).toBe(true);
});

test('the length of a password is counted in characters, not in code units', async () => {
  await expect(requireGoodPassword('🎈🦊🌵🎻🧊', owner, 'password')).rejects.toMatchObject({
    errors: { password: [expect.stringMatching(/at least 10/)] },
  });
});

test("strong passwords are accepted, and passwords made of the person's data are refused", async () => {
  await expect(requireGoodPassword('walnut-comet-drizzle-19', owner, 'password')).resolves.toBeUndefined();
  for (const weak of ['JordanWhitfield', 'jordan.whitfield', '1234567890', 'qwertyuiop']) {
    await expect(requireGoodPassword(weak, owner, 'password')).rejects.toMatchObject({ code: 'validation_error' });
  }
});

test('a password that is slow to estimate does not delay the others', async () => {
  await requireGoodPassword('walnut-comet-drizzle-19', owner, 'password');
  const worst = '4@8({[</369&#!1/|0$5+7%2/'.repeat(5);
  const check = () => requireGoodPassword(worst, owner, 'password').catch(() => undefined);
  expect(await processorTime(check)).toBeLessThan(1_000);
});

test('two hashes run at a time, in order, and a failed one frees its slot', async () => {
  let running = 0;
  let maxRunning = 0;
  const order: number[] = [];
  const work = (n: number) =>
    inHashSlot(async () => {
      running += 1;
      maxRunning = Math.max(maxRunning, running);
      await new Promise((resolve) => setTimeout(resolve, 2));
      running -= 1;
      order.push(n);
      if (n % 3 === 0) throw new Error('failed');
    }).catch(() => undefined);
  await Promise.all(Array.from({ length: 9 }, (_, n) => work(n)));
  expect(maxRunning).toBe(2);
  expect(order).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8]);
});

test('a hash that would wait too long is refused with a retry time', async () => {
  let open: () => void = () => undefined;
  const gate = new Promise<void>((resolve) => (open = resolve));
  const waiting = Array.from({ length: 102 }, () => inHashSlot(() => gate));
  await expect(inHashSlot(() => gate)).rejects.toMatchObject({ status: 503, headers: { 'Retry-After': '5' } });
  open();
  await Promise.all(waiting);
});
