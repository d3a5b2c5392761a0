import { MockActivityEnvironment } from '@temporalio/testing';
import { abandonCharge, confirmCharge, openCharge, settleCharge } from '../../activities/finances/payRemittance.js';
import { inTenant } from '../../models/database/tenancy.js';
import { beginPayment } from '../../models/finances/remittances/beginPayment.js';
import { createRemittance } from '../../models/finances/remittances/createRemittance.js';
import type { PayRemittanceInput } from '../../workflows/contracts/payRemittance.js';
import { asOwner } from '../support/owner.js';
import { aProcessor, type Platform, startPlatform } from '../support/platform.js';
import { anInvoice, aWorld, type World } from '../support/world.js';

let platform: Platform;
let world: World;

beforeAll(async () => {
  platform = await startPlatform({ worker: 'none' });
  world = await aWorld({ members: 2 });
  await aProcessor(world);
}, 60_000);
afterEach(() => platform.clearFaults());
afterAll(() => platform.close());

/** An attempt that waits for its process. */
async function anAttempt(paymentMethod = 'pm_card_visa'): Promise<PayRemittanceInput> {
  const { organizationId, chapterId, officer } = world;
  const invoices = await Promise.all(
    world.memberships.map((membershipId) => anInvoice(world, { chapterId, membershipId, cents: 2_500 })),
  );
  return inTenant(organizationId, async () => {
    const shares = invoices.map((invoice) => ({ invoice, amount_cents: 2_500 }));
    const remittanceId = await createRemittance(chapterId, shares, officer.userId);
    const { attemptId } = await beginPayment(remittanceId, paymentMethod, officer.userId);
    return { organizationId, remittanceId, attemptId, chapterId };
  });
}

type Step<T> = (input: PayRemittanceInput) => Promise<T>;

/** Runs a step as the first, and then as a later try of Temporal. */
async function twice<T>(step: Step<T>, input: PayRemittanceInput): Promise<[T, T]> {
  const asTry = (attempt: number): Promise<T> => new MockActivityEnvironment({ attempt }).run(step as never, input);
  return [await asTry(1), await asTry(2)];
}

const attemptOf = async ({ attemptId }: PayRemittanceInput) =>
  (await asOwner('SELECT * FROM payment_attempts WHERE id = $1', [attemptId]))[0];

test('opening a charge twice opens one', async () => {
  const input = await anAttempt();
  expect(await twice(openCharge, input)).toEqual(['opened', 'opened']);
  expect((await attemptOf(input))?.['intent_id']).toMatch(/^pi_/);
});

test('confirming twice takes the money once', async () => {
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

test('settling twice credits once', async () => {
  const input = await anAttempt();
  await twice(openCharge, input);
  await twice(confirmCharge, input);
  expect(await twice(settleCharge, input)).toEqual(['settled', 'settled']);
  expect(await asOwner('SELECT 1 FROM payment_records WHERE remittance_id = $1', [input.remittanceId])).toHaveLength(2);
});

test('abandoning twice leaves one failed attempt and no reservation', async () => {
  const input = await anAttempt('pm_card_chargeDeclined');
  await twice(openCharge, input);
  expect(await twice(confirmCharge, input)).toEqual(['not_captured', 'not_captured']);
  expect(await twice(abandonCharge, input)).toEqual(['declined', 'declined']);
  expect(await attemptOf(input)).toMatchObject({ status: 'failed', failure_code: 'generic_decline' });
  expect(
    await asOwner('SELECT 1 FROM chapter_remittance_allocations WHERE reserved_by_attempt_id = $1', [input.attemptId]),
  ).toEqual([]);
});

test('abandoning because somebody cancelled says so, whatever was noted before', async () => {
  const input = await anAttempt();
  await twice(openCharge, input);
  const cancel: Step<string> = (given) => abandonCharge(given, 'cancelled');
  expect(await twice(cancel, input)).toEqual(['declined', 'declined']);
  expect(await attemptOf(input)).toMatchObject({
    status: 'failed',
    failure_code: 'cancelled',
    failure_message: 'An administrator cancelled this payment.',
  });
});

test('a step of an attempt that is gone fails for good', async () => {
  const input = { ...(await anAttempt()), attemptId: world.member.membershipId };
  for (const step of [openCharge, confirmCharge, abandonCharge, settleCharge] as Step<unknown>[])
    await expect(new MockActivityEnvironment().run(step as never, input)).rejects.toMatchObject({
      type: 'NotFound',
      nonRetryable: true,
    });
});

test('an attempt whose keys have expired is never confirmed', async () => {
  const input = await anAttempt();
  await twice(openCharge, input);
  await asOwner(`UPDATE payment_attempts SET created_at = now() - interval '24 hours' WHERE id = $1`, [
    input.attemptId,
  ]);
  expect(await twice(confirmCharge, input)).toEqual(['not_captured', 'not_captured']);
  expect(await platform.moved(input.remittanceId)).toEqual([]);
});

test('a settlement that raises flags the money', async () => {
  const input = await anAttempt();
  await twice(openCharge, input);
  await twice(confirmCharge, input);
  // A key that a child payment would need is taken: the settlement cannot be written.
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
