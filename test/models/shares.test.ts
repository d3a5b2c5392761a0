import { FairSemaphore, type Release } from '../../models/database/fairSemaphore.js';
import { Refusal } from '../../models/errors.js';

const usual = { slots: 8, maxPerTenant: 4, reserve: 1, maxQueued: 3, waitMs: 100_000_000 };

/** Takes places and notes, in order, who has got one. */
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

test('nobody holds more than a share, however much is free', async () => {
  const { got, claim } = claiming(new FairSemaphore(usual));
  const [first] = await Promise.all([1, 2, 3, 4].map(() => claim('a')));
  void claim('a');
  await settled();
  expect(got).toHaveLength(4);
  first?.();
  await settled();
  expect(got).toHaveLength(5);
});

test('the last places are for who holds none', async () => {
  const { got, claim } = claiming(new FairSemaphore(usual));
  for (const who of ['a', 'b']) for (let n = 0; n < 4; n += 1) void claim(who);
  await settled();
  expect(got).toEqual(['a', 'a', 'a', 'a', 'b', 'b', 'b']);
  await claim('c');
  expect(got.at(-1)).toBe('c');
});

test('of those who wait, who holds least comes next', async () => {
  const { got, claim } = claiming(new FairSemaphore({ ...usual, reserve: 0 }));
  const [ofA] = await Promise.all([1, 2, 3, 4].map(() => claim('a')));
  await Promise.all([1, 2, 3, 4].map(() => claim('b')));
  void claim('a');
  void claim('c');
  ofA?.();
  await settled();
  expect(got.at(-1)).toBe('c');
});

test('of the callers that are one claimant, who holds least comes next, and one crowd leaves the others room to wait', async () => {
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

test('what has been begun goes before what only wants to begin', async () => {
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

test('who comes when too many wait is refused at once, and what has been begun is not', async () => {
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

test('who has waited long enough is refused, and then nothing is kept for them', async () => {
  const shares = new FairSemaphore({ ...usual, maxPerTenant: 1, waitMs: 1 });
  const release = await shares.acquire('a');
  await expect(shares.acquire('a')).rejects.toBeInstanceOf(Refusal);
  expect(shares.waitingCount).toBe(0);
  release();
  // Given back twice it is one place all the same.
  release();
  await shares.acquire('a');
  await expect(shares.acquire('a')).rejects.toBeInstanceOf(Refusal);
});
