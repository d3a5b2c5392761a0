/** The first step of a charge that holds the money already: whatever becomes of its answer, nothing stays held for nobody. */
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
const lose = () => square.order('POST', '/faults', { kind: 'drop_after_capture', operation: 'create' });

/** Held at the provider, and nobody here has heard of it. */
async function aLostOpening(): Promise<PayRemittanceInput> {
  const input = await anAttempt();
  await lose();
  await expect(run(openCharge, input)).rejects.toThrow();
  expect(await square.payments()).toEqual(['APPROVED']);
  expect(await attemptOf(input)).toMatchObject({
    status: 'pending',
    intent_id: null,
    charge_asked_at: expect.any(Date),
  });
  return input;
}

test('that it is asked for is committed before, and opening again opens the same', async () => {
  const input = await aLostOpening();
  expect(await run(openCharge, input, 2)).toBe('opened');
  expect(await run(openCharge, input, 3)).toBe('opened');
  expect(await square.payments()).toEqual(['APPROVED']);
});

test('given up by an administrator, what a lost answer holds is let go', async () => {
  const input = await aLostOpening();
  expect(await run((given) => abandonCharge(given, 'cancelled'), input)).toBe('declined');
  expect(await square.payments()).toEqual(['CANCELED']);
  expect(await attemptOf(input)).toMatchObject({ status: 'failed', failure_code: 'cancelled' });
});

test('given up because its keys have expired, what a lost answer holds is let go', async () => {
  const input = await aLostOpening();
  await asOwner(`UPDATE payment_attempts SET created_at = now() - interval '24 hours' WHERE id = $1`, [
    input.attemptId,
  ]);
  expect(await run(openCharge, input, 2)).toBe('declined');
  expect(await square.payments()).toEqual(['CANCELED']);
  expect(await attemptOf(input)).toMatchObject({ status: 'failed', failure_code: 'gateway_unavailable' });
});

test('while it cannot be let go, the attempt is not over', async () => {
  const input = await aLostOpening();
  await square.order('POST', '/faults', { kind: 'drop_before_capture', operation: 'cancel_by_key' });
  await expect(run((given) => abandonCharge(given, 'cancelled'), input)).rejects.toThrow();
  expect(await attemptOf(input)).toMatchObject({ status: 'pending' });
  expect(await run((given) => abandonCharge(given, 'cancelled'), input, 2)).toBe('declined');
  expect(await square.payments()).toEqual(['CANCELED']);
});

test('a token that was revoked meanwhile says nothing about what is held: it is asked again', async () => {
  const input = await aLostOpening();
  const { credentials } = await inTenant(world.organizationId, () => loadProcessorAccess(processor));
  await square.order('POST', '/keys', { key: credentials.secret_key, revoked: true });
  await expect(run(openCharge, input, 2)).rejects.toThrow();
  expect(await attemptOf(input)).toMatchObject({ status: 'pending' });
  await square.order('POST', '/keys', { key: credentials.secret_key, revoked: false });
  expect(await run(openCharge, input, 3)).toBe('opened');
});

test('an attempt that ended while the provider was asked leaves nothing held', async () => {
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

test('a refused card ends the attempt at once, with why', async () => {
  const input = await anAttempt('cnon:card-nonce-rejected-cvv');
  expect(await run(openCharge, input)).toBe('declined');
  expect(await attemptOf(input)).toMatchObject({ status: 'failed', failure_code: 'cvv_failure', intent_id: null });
});
