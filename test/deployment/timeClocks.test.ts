/** Hosts whose clock is wrong or jumps: the database's time decides, so that the clock changes no sign-in, limit or bill. */
import { createHmac, randomUUID } from 'node:crypto';
import path from 'node:path';
import { decode } from 'jsonwebtoken';
import { signToken, type TokenClaims } from '../../models/identity/tokens.js';
import { Client } from '../support/api.js';
import { aNativeClient, forgetAttempts, givePassword, logIn } from '../api/identity/accounts.support.js';
import { expectSoundLedger } from '../support/ledger.js';
import { asOwner } from '../support/owner.js';
import { aProcessor, eventually, WEBHOOK_SECRET } from '../support/platform.js';
import { type OwnStack, startOwnStack } from '../support/stack/ownStack.js';
import { aDraft, payAndSettle } from '../support/stack/stories.js';
import { anInvoice, aWorld, type World } from '../support/world.js';

const HOURS = 3_600;
const CLOCKS: [string, number][] = [
  ['two hours behind', -2 * HOURS],
  ['two hours ahead', 2 * HOURS],
];
const shifted = (by: number, jump = 0): NodeJS.ProcessEnv => ({
  NODE_OPTIONS: `--require ${path.resolve('test/support/stack/shiftClock.cjs')}`,
  CLOCK_SHIFT_SECONDS: String(by),
  CLOCK_JUMP_SECONDS: String(jump),
});

let stack: OwnStack;
let world: World;
let processor: string;

beforeAll(async () => {
  stack = await startOwnStack();
  world = await aWorld({ members: 2 });
  processor = await aProcessor(world);
  await givePassword(world.officer.userId);
  const officer = stack.client(world.officer);
  await payAndSettle(officer, await aDraft(world, officer));
  await Promise.all([
    stack.start('api', shifted(-2 * HOURS), 'two hours behind'),
    stack.start('api', shifted(2 * HOURS), 'two hours ahead'),
    stack.start('api', shifted(0, -2 * HOURS), 'jumping'),
  ]);
});

beforeEach(forgetAttempts);
afterEach(expectSoundLedger);
afterAll(() => stack.close());

const urlOf = (api: string): string => stack.client({}, api).url;
const seconds = (): number => Math.floor(Date.now() / 1000);
const as = (token: string | undefined, api: string) => stack.client(token === undefined ? {} : { token }, api);
const me = async (token: string | undefined, api: string) => (await as(token, api).get('/api/auth/me/')).status;

/** A token of the officer's session that expires in this many seconds, by this test's clock. */
async function aToken(expiresIn: number): Promise<string> {
  const { sub, sid, org } = decode(world.officer.token) as TokenClaims;
  return signToken({ typ: 'access', sub, sid, org }, expiresIn);
}

/** A signed event without an effect. */
async function deliver(api: string, at: number): Promise<number> {
  const object = { id: 'pi_none', object: 'payment_intent', metadata: { processor_id: processor } };
  const body = JSON.stringify({
    id: `evt_${randomUUID()}`,
    object: 'event',
    type: 'payment_intent.created',
    data: { object },
  });
  const v1 = createHmac('sha256', WEBHOOK_SECRET).update(`${at}.${body}`).digest('hex');
  const headers = { 'Content-Type': 'application/json', 'Stripe-Signature': `t=${at},v1=${v1}` };
  const { status } = await fetch(`${urlOf(api)}/api/finances/webhooks/processor/`, { method: 'POST', headers, body });
  return status;
}

describe.each(CLOCKS)('clock %s', (api, shift) => {
  test(`an API whose clock is ${api} reports another time than this test`, async () => {
    expect(Math.round(((await clockOf(api)) - Date.now()) / 1000 / HOURS)).toBe(shift / HOURS);
  });

  test(`an API whose clock is ${api} issues tokens that are valid everywhere for their time`, async () => {
    const { client } = await aNativeClient(urlOf(api), world.officer.email);
    expect([await me(client.token, 'api'), await me(client.token, api)]).toEqual([200, 200]);
    const { iat, exp } = decode(client.token as string) as TokenClaims;
    expect(Math.abs(iat - seconds())).toBeLessThan(30);
    expect(exp - iat).toBe(1_800);
  });

  test(`an API whose clock is ${api} accepts tokens of others, and refuses expired ones`, async () => {
    expect([await me(await aToken(60), api), await me(await aToken(-60), api)]).toEqual([200, 401]);
  });

  test(`an API whose clock is ${api} refreshes a session of another API, once`, async () => {
    const { refreshToken } = await aNativeClient(urlOf('api'), world.officer.email);
    const refresh = () => new Client(urlOf(api)).post('/api/auth/token/refresh/', { refresh_token: refreshToken });
    const { status, body } = await refresh();
    expect([status, await me(body.access_token, 'api')]).toEqual([200, 200]);
    expect((await refresh()).body.code).toBe('refresh_token_reused');
    expect(await me(body.access_token, 'api')).toBe(401);
  });

  test(`an API whose clock is ${api} counts requests in the same windows as the others, and answers a correct Retry-After`, async () => {
    const attempts = async (url: string, times: number) => {
      const client = new Client(url);
      for (let n = 0; n < times; n += 1) await client.post('/api/auth/token/refresh/', { refresh_token: 'none' });
      return client.post('/api/auth/token/refresh/', { refresh_token: 'none' });
    };
    expect((await attempts(urlOf('api'), 60)).status).toBe(401);
    const last = await attempts(urlOf(api), 60);
    expect(last.status).toBe(429);
    expect(Number(last.headers.get('retry-after'))).toBeLessThanOrEqual(60);
    const day = (await as(world.officer.token, api).get('/api/billing/remittances/')).headers.get('ratelimit');
    expect(Number(/t=(\d+)/.exec(day ?? '')?.[1])).toBeLessThanOrEqual(24 * HOURS);
  });

  test(`an API whose clock is ${api} accepts an event that is signed now, and refuses one signed at its own time`, async () => {
    expect(await deliver(api, seconds())).toBe(200);
    expect(await deliver(api, seconds() + shift)).toBe(400);
  });

  test(`an API whose clock is ${api} pays a remittance`, async () => {
    const officer = stack.client(world.officer, api);
    const id = await aDraft(world, officer);
    await payAndSettle(officer, id);
    expect(await stack.moved(id)).toHaveLength(1);
  });
});

test('a clock that jumps back two hours ends no session, revives none, and resets no limit', async () => {
  const { client, refreshToken } = await aNativeClient(urlOf('jumping'), world.officer.email);
  const expiring = await aToken(3);
  for (let n = 0; n < 40; n += 1) await client.get('/api/auth/me/');
  const remaining = async () =>
    Number(/r=(\d+)/.exec((await client.get('/api/billing/remittances/')).headers.get('ratelimit') ?? '')?.[1]);
  const before = await remaining();
  stack.signal('jumping', 'SIGUSR2');
  await eventually(
    () => clockOf('jumping'),
    (date) => Date.now() - date > HOURS * 1000,
  );

  expect(await me(client.token, 'jumping')).toBe(200);
  // Requests between the two count; on a busy machine there are more than these two.
  expect(await remaining()).toBeLessThanOrEqual(before - 2);
  await eventually(
    async () => seconds(),
    (now) => now > (decode(expiring) as TokenClaims).exp,
  );
  expect(await me(expiring, 'jumping')).toBe(401);
  expect((await logIn(new Client(urlOf('jumping')), { email: world.officer.email })).status).toBe(200);
  const refreshed = await new Client(urlOf('jumping')).post('/api/auth/token/refresh/', {
    refresh_token: refreshToken,
  });
  expect([refreshed.status, await me(refreshed.body.access_token, 'api')]).toEqual([200, 200]);
  const officer = stack.client(world.officer, 'jumping');
  await payAndSettle(officer, await aDraft(world, officer));
});

/** The time that a process writes to its log. */
async function clockOf(api: string): Promise<number> {
  await stack.client({}, api).get('/api/auth/me/');
  return Number(stack.logOf(api).at(-1)?.['time']);
}

test.each(CLOCKS)(
  'a worker whose clock is %s settles payments, relays, and marks by the date of the database',
  async (_how, shift) => {
    await stack.stop('worker');
    await stack.start('worker', shifted(shift));
    const officer = stack.client(world.officer);
    const id = await aDraft(world, officer);
    await payAndSettle(officer, id);
    expect(await stack.moved(id)).toHaveLength(1);

    expect(Math.round((Number(stack.logOf('worker').at(-1)?.['time']) - Date.now()) / 1000 / HOURS)).toBe(
      shift / HOURS,
    );

    const { chapterId, member } = world;
    const [today, yesterday] = [
      await anInvoice(world, { chapterId, membershipId: member.membershipId, dueIn: 0 }),
      await anInvoice(world, { chapterId, membershipId: member.membershipId, dueIn: -1 }),
    ];
    const [row] = await asOwner<{ day: string }>("SELECT to_char(now() AT TIME ZONE 'UTC', 'YYYY-MM-DD') AS day");
    await asOwner(
      `INSERT INTO outbox (organization_id, process, workflow_id, input) VALUES ($1, 'markOverdue', $2, $3)`,
      [
        world.organizationId,
        `overdue/clock-${shift}`,
        JSON.stringify({ organizationId: world.organizationId, day: row?.day }),
      ],
    );
    const statusOfInvoice = async (invoice: string) =>
      (await asOwner<{ status: string }>('SELECT status FROM chapter_invoices WHERE id = $1', [invoice]))[0]?.status;
    await eventually(
      () => statusOfInvoice(yesterday),
      (status) => status === 'overdue',
      30,
    );
    expect(await statusOfInvoice(today)).toBe('open');
    await eventually(
      () =>
        asOwner<{ outcome: string }>(
          `SELECT d.outcome FROM notifications n JOIN notification_deliveries d ON d.notification_id = n.id
            WHERE n.subject_id = $1 AND d.channel = 'email'`,
          [yesterday],
        ),
      (found) => found[0]?.outcome === 'sent',
      30,
    );
  },
);
