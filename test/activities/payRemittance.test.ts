import { MockActivityEnvironment } from '@temporalio/testing';
import { activityInterceptors } from '../../activities/interceptors.js';
import pg from 'pg';
import { abandonCharge, confirmCharge, openCharge, settleCharge } from '../../activities/finances/payRemittance.js';
import { inTenant } from '../../models/database/tenancy.js';
import { beginPayment } from '../../models/finances/remittances/beginPayment.js';
import { createRemittance } from '../../models/finances/remittances/createRemittance.js';
import type { PayRemittanceInput } from '../../workflows/contracts/payRemittance.js';
import { lockWaits } from '../support/lockWaits.js';
import { asOwner } from '../support/owner.js';
import { aProcessor, eventually, type Platform, startPlatform } from '../support/platform.js';
import { anInvoice, aWorld, type World } from '../support/world.js';

let platform: Platform;
let world: World;

beforeAll(async () => {
  platform = await startPlatform({ worker: 'none' });
  world = await aWorld({ members: 2 });
  await aProcessor(world);
});
afterEach(() => platform.clearFaults());
afterAll(() => platform.close());

/** An attempt whose workflow has not started. */
async function anAttempt(paymentMethod = 'pm_card_visa'): Promise<PayRemittanceInput> {
  const { organizationId, chapterId, officer } = world;
  const invoices = await Promise.all(
    world.memberships.map((membershipId) => anInvoice(world, { chapterId, membershipId, cents: 2_500 })),
  );
  const input = await inTenant(organizationId, async () => {
    const shares = invoices.map((invoice) => ({ invoice, amount_cents: 2_500 }));
    const remittanceId = await createRemittance(chapterId, shares, officer.userId);
    const { attemptId } = await beginPayment(remittanceId, paymentMethod, officer.userId);
    return { organizationId, remittanceId, attemptId, chapterId };
  });
  // Otherwise the provider's own events would settle the charge between two steps.
  const late = { kind: 'delay_events', delay_ms: 120_000, times: 20, remittance_id: input.remittanceId };
  await platform.fault(late);
  return input;
}

type Step<T> = (input: PayRemittanceInput) => Promise<T>;

/** Runs a step as the first and then as a later attempt of Temporal. */
async function twice<T>(step: Step<T>, input: PayRemittanceInput): Promise<[T, T]> {
  const runAs = (attempt: number): Promise<T> => new MockActivityEnvironment({ attempt }).run(step as never, input);
  return [await runAs(1), await runAs(2)];
}

const attemptOf = async ({ attemptId }: PayRemittanceInput) =>
  (await asOwner('SELECT * FROM payment_attempts WHERE id = $1', [attemptId]))[0];

test('opening a charge twice opens one charge', async () => {
  const input = await anAttempt();
  expect(await twice(openCharge, input)).toEqual(['opened', 'opened']);
  expect((await attemptOf(input))?.['intent_id']).toMatch(/^pi_/);
});

test('confirming a charge twice takes the money once', async () => {
  const input = await anAttempt();
  await twice(openCharge, input);
  expect(await twice(confirmCharge, input)).toEqual(['captured', 'captured']);
  expect(await platform.moved(input.remittanceId)).toHaveLength(1);
});

test('a confirmation whose answer was lost is looked up, not sent again', async () => {
  const input = await anAttempt();
  await twice(openCharge, input);
  await platform.fault({ kind: 'drop_after_capture', times: 2, remittance_id: input.remittanceId });
  await expect(new MockActivityEnvironment({ attempt: 1 }).run(confirmCharge, input)).rejects.toThrow();
  expect(await new MockActivityEnvironment({ attempt: 2 }).run(confirmCharge, input)).toBe('captured');
  expect(await platform.moved(input.remittanceId)).toHaveLength(1);
});

test('settling a charge twice credits it once', async () => {
  const input = await anAttempt();
  await twice(openCharge, input);
  await twice(confirmCharge, input);
  expect(await twice(settleCharge, input)).toEqual(['settled', 'settled']);
  expect(await asOwner('SELECT 1 FROM payment_records WHERE remittance_id = $1', [input.remittanceId])).toHaveLength(2);
});

test('abandoning a charge twice leaves one failed attempt and no reservation', async () => {
  const input = await anAttempt('pm_card_chargeDeclined');
  await twice(openCharge, input);
  expect(await twice(confirmCharge, input)).toEqual(['not_captured', 'not_captured']);
  expect(await twice(abandonCharge, input)).toEqual(['declined', 'declined']);
  expect(await attemptOf(input)).toMatchObject({ status: 'failed', failure_code: 'generic_decline' });
  expect(
    await asOwner('SELECT 1 FROM chapter_remittance_allocations WHERE reserved_by_attempt_id = $1', [input.attemptId]),
  ).toEqual([]);
});

test('an attempt that an administrator cancelled fails with that reason', async () => {
  const input = await anAttempt();
  await twice(openCharge, input);
  const cancel: Step<string> = (target) => abandonCharge(target, 'cancelled');
  expect(await twice(cancel, input)).toEqual(['declined', 'declined']);
  expect(await attemptOf(input)).toMatchObject({
    status: 'failed',
    failure_code: 'cancelled',
    failure_message: 'An administrator cancelled this payment.',
  });
});

test('a step of a missing attempt fails without retry', async () => {
  const input = { ...(await anAttempt()), attemptId: world.member.membershipId };
  for (const step of [openCharge, confirmCharge, abandonCharge, settleCharge] as Step<unknown>[])
    await expect(
      new MockActivityEnvironment({}, { interceptors: [activityInterceptors('payments')] }).run(step as never, input),
    ).rejects.toMatchObject({
      type: 'NotFound',
      nonRetryable: true,
    });
});

test('an attempt whose idempotency keys have expired is never confirmed', async () => {
  const input = await anAttempt();
  await twice(openCharge, input);
  await asOwner(`UPDATE payment_attempts SET created_at = now() - interval '24 hours' WHERE id = $1`, [
    input.attemptId,
  ]);
  expect(await twice(confirmCharge, input)).toEqual(['not_captured', 'not_captured']);
  expect(await platform.moved(input.remittanceId)).toEqual([]);
});

test('a settlement that raises an error flags the money', async () => {
  const input = await anAttempt();
  await twice(openCharge, input);
  await twice(confirmCharge, input);
  // The key that a child payment needs is used already, so the settlement cannot be written.
  await asOwner(
    `INSERT INTO payment_records (organization_id, invoice_id, processor_payment_id, amount_cents, status)
     SELECT organization_id, invoice_id, remittance_id || ':' || invoice_id, 1, 'failed'
       FROM chapter_remittance_allocations WHERE remittance_id = $1 LIMIT 1`,
    [input.remittanceId],
  );
  expect(await twice(settleCharge, input)).toEqual(['flagged', 'flagged']);
  expect(
    await asOwner('SELECT reconciliation_reason FROM chapter_remittances WHERE id = $1', [input.remittanceId]),
  ).toEqual([{ reconciliation_reason: 'settlement_failed' }]);
});

/** A payment that is captured but not settled. */
async function aCapturedAttempt(): Promise<PayRemittanceInput> {
  const input = await anAttempt();
  await twice(openCharge, input);
  await twice(confirmCharge, input);
  return input;
}

const settle = (input: PayRemittanceInput) => new MockActivityEnvironment().run(settleCharge as never, input);
const flagOf = ({ remittanceId }: PayRemittanceInput) =>
  asOwner('SELECT reconciliation_reason AS reason FROM chapter_remittances WHERE id = $1', [remittanceId]);

/** Makes a settlement deadlock with another transaction. @returns its error, or undefined if the other one was ended */
async function makeDeadlock(input: PayRemittanceInput): Promise<unknown> {
  const other = new pg.Client({ connectionString: process.env['DATABASE_OWNER_URL'] });
  await other.connect();
  try {
    await other.query('BEGIN');
    await other.query(
      `SELECT 1 FROM chapter_invoices WHERE id IN
         (SELECT invoice_id FROM chapter_remittance_allocations WHERE remittance_id = $1) FOR UPDATE`,
      [input.remittanceId],
    );
    // The settlement holds the remittance and waits for the invoices.
    const settling = settle(input).then(
      () => undefined,
      (error: unknown) => error,
    );
    await eventually(lockWaits, (waits) => waits.length > 0);
    const theirs = other.query('SELECT 1 FROM chapter_remittances WHERE id = $1 FOR UPDATE', [input.remittanceId]);
    await theirs.catch(() => undefined);
    return await settling;
  } finally {
    await other.end();
  }
}

test('a settlement that fails by a deadlock is tried again and flags nothing', async () => {
  let input: PayRemittanceInput;
  let failure: unknown;
  // Postgres ends the transaction that checks for deadlocks first, after one second; on a busy machine that may be the other one.
  do {
    input = await aCapturedAttempt();
    failure = await makeDeadlock(input);
  } while (failure === undefined);
  expect(failure).toMatchObject({ code: '40P01' });
  expect(await flagOf(input)).toEqual([{ reason: null }]);
  expect(await twice(settleCharge, input)).toEqual(['settled', 'settled']);
});

test.each(['40001', '55P03', '57014'])(
  'a settlement that ends in %s is tried again, and flags nothing',
  async (code) => {
    const input = await aCapturedAttempt();
    await asOwner(
      `CREATE FUNCTION break_once() RETURNS trigger LANGUAGE plpgsql AS
       $$ BEGIN RAISE EXCEPTION 'broken' USING ERRCODE = '${code}'; END $$;
     CREATE TRIGGER break_once BEFORE INSERT ON payment_records FOR EACH ROW EXECUTE FUNCTION break_once();`,
    );
    try {
      await expect(settle(input)).rejects.toMatchObject({ code });
    } finally {
      await asOwner('DROP TRIGGER break_once ON payment_records; DROP FUNCTION break_once();');
    }
    expect(await flagOf(input)).toEqual([{ reason: null }]);
    expect(await settle(input)).toBe('settled');
  },
);

test('a decline is audited once, with its code and no card data', async () => {
  const input = await anAttempt('pm_card_chargeDeclined');
  await twice(openCharge, input);
  await twice(confirmCharge, input);
  await twice(abandonCharge, input);
  const entries = await asOwner(
    `SELECT after, before FROM audit_log WHERE action = 'remittance.payment_failed' AND subject_id = $1`,
    [input.remittanceId],
  );
  expect(entries).toEqual([{ before: null, after: { attempt_id: input.attemptId, failure_code: 'generic_decline' } }]);
});

test('a capture that was flagged before ends the attempt as flagged', async () => {
  const input = await aCapturedAttempt();
  const attempt = await attemptOf(input);
  await asOwner(
    `INSERT INTO processor_captures (organization_id, processor_id, intent_id, amount_cents, disposition)
     VALUES ($1, $2, $3, 5000, 'flagged')`,
    [input.organizationId, attempt?.['processor_id'], attempt?.['intent_id']],
  );
  expect(await twice(settleCharge, input)).toEqual(['flagged', 'flagged']);
  expect(await attemptOf(input)).toMatchObject({ status: 'flagged' });
});
