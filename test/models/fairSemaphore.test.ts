import { FairSemaphore, type Release } from '../../models/database/fairSemaphore.js';
import { Refusal } from '../../models/errors.js';

const usual = { slots: 8, maxPerTenant: 4, reserve: 1, maxQueued: 3, waitMs: 100_000_000 };

/** Acquires slots and records the order in which they are granted. */
function claiming(shares: FairSemaphore) {
  const got: string[] = [];
  const claim = (who: string, begun = false): Promise<Release> =>
    shares.acquire(who, begun).then((release) => {
      got.push(who);
      return release;
    });
  return { got, claim };
}
const settled = () => new Promise((resolve) => setImmediate(resolve));

test('a tenant never holds more than its maximum, even when slots are free', async () => {
  const { got, claim } = claiming(new FairSemaphore(usual));
  const [first] = await Promise.all([1, 2, 3, 4].map(() => claim('a')));
  void claim('a');
  await settled();
  expect(got).toHaveLength(4);
  first?.();
  await settled();
  expect(got).toHaveLength(5);
});

test('the last slots are reserved for tenants that hold none', async () => {
  const { got, claim } = claiming(new FairSemaphore(usual));
  for (const who of ['a', 'b']) for (let n = 0; n < 4; n += 1) void claim(who);
  await settled();
  expect(got).toEqual(['a', 'a', 'a', 'a', 'b', 'b', 'b']);
  await claim('c');
  expect(got.at(-1)).toBe('c');
});

test('the waiting tenant with the fewest slots gets the next slot', async () => {
  const { got, claim } = claiming(new FairSemaphore({ ...usual, reserve: 0 }));
  const [ofA] = await Promise.all([1, 2, 3, 4].map(() => claim('a')));
  await Promise.all([1, 2, 3, 4].map(() => claim('b')));
  void claim('a');
  void claim('c');
  ofA?.();
  await settled();
  expect(got.at(-1)).toBe('c');
});

test("the caller with the fewest slots of a tenant comes next, and one caller cannot fill the tenant's queue", async () => {
  const shares = new FairSemaphore({ ...usual, maxPerTenant: 2, maxQueued: 8 });
  const got: string[] = [];
  const call = (caller: string) => shares.acquire('a', false, caller).then((release) => (got.push(caller), release));
  const [first, second] = await Promise.all([call('x'), call('x')]);
  const crowd = [call('x'), call('x')];
  await expect(call('x')).rejects.toBeInstanceOf(Refusal);
  const other = call('y');
  first?.();
  await settled();
  expect(got).toEqual(['x', 'x', 'y']);
  second?.();
  await settled();
  expect(got).toEqual(['x', 'x', 'y', 'x']);
  for (const held of [other, ...crowd]) (await held)();
  expect(shares.waitingCount).toBe(0);
});

test('a continuing request comes before a new one', async () => {
  const shares = new FairSemaphore({ ...usual, maxPerTenant: 1 });
  const { got, claim } = claiming(shares);
  const holding = await claim('a');
  const order: string[] = [];
  const take = async (name: string, begun: boolean) => {
    const release = await shares.acquire('a', begun);
    order.push(name);
    release();
  };
  void take('new', false);
  void take('begun', true);
  holding();
  await settled();
  expect([got, order]).toEqual([['a'], ['begun', 'new']]);
});

test('a new request is refused when the queue is full, and a continuing one is not', async () => {
  const shares = new FairSemaphore({ ...usual, maxPerTenant: 1 });
  await shares.acquire('a');
  for (let n = 0; n < 3; n += 1) void shares.acquire('a');
  await expect(shares.acquire('a')).rejects.toMatchObject({
    status: 503,
    code: 'busy',
    headers: { 'Retry-After': expect.stringMatching(/^\d+$/) },
  });
  void shares.acquire('a', true);
  expect(shares.waitingCount).toBe(4);
  await shares.acquire('b');
});

test('a request that waits too long is refused, and leaves the queue', async () => {
  const shares = new FairSemaphore({ ...usual, maxPerTenant: 1, waitMs: 1 });
  const release = await shares.acquire('a');
  await expect(shares.acquire('a')).rejects.toBeInstanceOf(Refusal);
  expect(shares.waitingCount).toBe(0);
  release();
  // A slot that is released twice counts once.
  release();
  await shares.acquire('a');
  await expect(shares.acquire('a')).rejects.toBeInstanceOf(Refusal);
});
