/** Opening a charge at Square, which authorizes the money: an authorization whose answer was lost is found or cancelled. */
import { MockActivityEnvironment } from '@temporalio/testing';
import { abandonCharge, openCharge } from '../../activities/finances/payRemittance.js';
import { inTenant } from '../../models/database/tenancy.js';
import { concludeAttempt } from '../../models/finances/attempts/concludeAttempt.js';
import { loadProcessorAccess } from '../../models/finances/attempts/processorAccess.js';
import { beginPayment } from '../../models/finances/remittances/beginPayment.js';
import { createRemittance } from '../../models/finances/remittances/createRemittance.js';
import type { PayRemittanceInput } from '../../workflows/contracts/payRemittance.js';
import { asOwner } from '../support/owner.js';
import { eventually, type Platform, startPlatform } from '../support/platform.js';
import { aSquareProcessor, type Square, startSquare } from '../support/square.js';
import { anInvoice, aWorld, type World } from '../support/world.js';

let platform: Platform;
let square: Square;
let world: World;
let processor: string;

beforeAll(async () => {
  platform = await startPlatform({ worker: 'none' });
  square = await startSquare();
  world = await aWorld({ members: 1 });
  processor = await aSquareProcessor(platform, square, world);
});
beforeEach(() => square.order('POST', '/reset'));
afterAll(async () => {
  await square.close();
  await platform.close();
});

async function anAttempt(paymentMethod = 'cnon:card-nonce-ok'): Promise<PayRemittanceInput> {
  const { organizationId, chapterId, officer, member } = world;
  const invoice = await anInvoice(world, { chapterId, membershipId: member.membershipId, cents: 2_500 });
  return inTenant(organizationId, async () => {
    const remittanceId = await createRemittance(chapterId, [{ invoice, amount_cents: 2_500 }], officer.userId);
    const { attemptId } = await beginPayment(remittanceId, paymentMethod, officer.userId);
    return { organizationId, remittanceId, attemptId, chapterId };
  });
}

const run = <T>(step: (input: PayRemittanceInput) => Promise<T>, input: PayRemittanceInput, attempt = 1): Promise<T> =>
  new MockActivityEnvironment({ attempt }).run(step as never, input);
const attemptOf = async ({ attemptId }: PayRemittanceInput) =>
  (await asOwner('SELECT * FROM payment_attempts WHERE id = $1', [attemptId]))[0];
const loseNextAnswer = () => square.order('POST', '/faults', { kind: 'drop_after_capture', operation: 'create' });

/** A charge that is authorized at the provider and whose answer was lost. */
async function aLostOpening(): Promise<PayRemittanceInput> {
  const input = await anAttempt();
  await loseNextAnswer();
  await expect(run(openCharge, input)).rejects.toThrow();
  expect(await square.payments()).toEqual(['APPROVED']);
  expect(await attemptOf(input)).toMatchObject({
    status: 'pending',
    intent_id: null,
    charge_asked_at: expect.any(Date),
  });
  return input;
}

test('the request for an opening is committed before it is sent, and opening again returns the same charge', async () => {
  const input = await aLostOpening();
  expect(await run(openCharge, input, 2)).toBe('opened');
  expect(await run(openCharge, input, 3)).toBe('opened');
  expect(await square.payments()).toEqual(['APPROVED']);
});

test('a lost authorization is cancelled when an administrator cancels the attempt', async () => {
  const input = await aLostOpening();
  expect(await run((target) => abandonCharge(target, 'cancelled'), input)).toBe('declined');
  expect(await square.payments()).toEqual(['CANCELED']);
  expect(await attemptOf(input)).toMatchObject({ status: 'failed', failure_code: 'cancelled' });
});

test('a lost authorization is cancelled when the idempotency keys of the attempt have expired', async () => {
  const input = await aLostOpening();
  await asOwner(`UPDATE payment_attempts SET created_at = now() - interval '24 hours' WHERE id = $1`, [
    input.attemptId,
  ]);
  expect(await run(openCharge, input, 2)).toBe('declined');
  expect(await square.payments()).toEqual(['CANCELED']);
  expect(await attemptOf(input)).toMatchObject({ status: 'failed', failure_code: 'gateway_unavailable' });
});

test('an attempt does not end while its authorization cannot be cancelled', async () => {
  const input = await aLostOpening();
  await square.order('POST', '/faults', { kind: 'drop_before_capture', operation: 'cancel_by_key' });
  await expect(run((target) => abandonCharge(target, 'cancelled'), input)).rejects.toThrow();
  expect(await attemptOf(input)).toMatchObject({ status: 'pending' });
  expect(await run((target) => abandonCharge(target, 'cancelled'), input, 2)).toBe('declined');
  expect(await square.payments()).toEqual(['CANCELED']);
});

test('a revoked token leaves the attempt pending, and the opening is tried again', async () => {
  const input = await aLostOpening();
  const { credentials } = await inTenant(world.organizationId, () => loadProcessorAccess(processor));
  await square.order('POST', '/keys', { key: credentials.secret_key, revoked: true });
  await expect(run(openCharge, input, 2)).rejects.toThrow();
  expect(await attemptOf(input)).toMatchObject({ status: 'pending' });
  await square.order('POST', '/keys', { key: credentials.secret_key, revoked: false });
  expect(await run(openCharge, input, 3)).toBe('opened');
});

test('an attempt that ends while the provider is asked leaves no authorization', async () => {
  const input = await anAttempt();
  await square.order('POST', '/faults', { kind: 'slow', operation: 'create' });
  const opening = run(openCharge, input);
  await eventually(
    () => attemptOf(input),
    (row) => row?.['charge_asked_at'] !== null,
  );
  await inTenant(world.organizationId, () =>
    concludeAttempt({ attemptId: input.attemptId }, { status: 'failed', failureCode: 'cancelled' }),
  );
  expect(await opening).toBe('declined');
  expect(await square.payments()).toEqual(['CANCELED']);
});

test('a refused card ends the attempt at once with the reason', async () => {
  const input = await anAttempt('cnon:card-nonce-rejected-cvv');
  expect(await run(openCharge, input)).toBe('declined');
  expect(await attemptOf(input)).toMatchObject({ status: 'failed', failure_code: 'cvv_failure', intent_id: null });
});
