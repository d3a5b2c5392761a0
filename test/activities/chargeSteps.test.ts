/** The steps of a charge with a kept card, and of one that must be permitted just before it is confirmed. */
import { randomUUID } from 'node:crypto';
import { MockActivityEnvironment } from '@temporalio/testing';
import {
  abandonAttemptCharge,
  type AttemptCharge,
  confirmAttemptCharge,
  openAttemptCharge,
} from '../../activities/finances/chargeSteps.js';
import { paymentPort } from '../../gateways/payments/processors.js';
import { inTenant } from '../../models/database/tenancy.js';
import { type Attempt, loadAttempt } from '../../models/finances/attempts/attempt.js';
import { concludeAttempt } from '../../models/finances/attempts/concludeAttempt.js';
import { loadProcessorAccess } from '../../models/finances/attempts/processorAccess.js';
import { beginPayment } from '../../models/finances/remittances/beginPayment.js';
import { createRemittance } from '../../models/finances/remittances/createRemittance.js';
import { asOwner } from '../support/owner.js';
import { aProcessor, type Platform, startPlatform } from '../support/platform.js';
import { anInvoice, aWorld, type World } from '../support/world.js';

let platform: Platform;
let world: World;
let processor: string;

beforeAll(async () => {
  platform = await startPlatform({ worker: 'none' });
  world = await aWorld({ members: 1 });
  processor = await aProcessor(world);
});
afterEach(() => platform.clearFaults());
afterAll(() => platform.close());

/** A charge of an attempt, with the parts that a test replaces. */
async function aCharge(own: Partial<AttemptCharge> & { card?: string } = {}) {
  const { organizationId, chapterId, officer, member } = world;
  const { card, ...parts } = own;
  const invoice = await anInvoice(world, { chapterId, membershipId: member.membershipId, cents: 2_500 });
  const { remittanceId, attemptId } = await inTenant(organizationId, async () => {
    const id = await createRemittance(chapterId, [{ invoice, amount_cents: 2_500 }], officer.userId);
    return { remittanceId: id, attemptId: (await beginPayment(id, 'pm_card_visa', officer.userId)).attemptId };
  });
  // Otherwise the provider's own events would settle the charge between two steps.
  await platform.fault({ kind: 'delay_events', delay_ms: 120_000, times: 20, remittance_id: remittanceId });
  const load = () => inTenant(organizationId, () => loadAttempt(attemptId), { readOnly: true });
  const charge: AttemptCharge = {
    organizationId,
    attemptId,
    load: async () => ({ ...(await load()), ...(card && { paymentMethod: card }) }),
    referenceOf: () => ({ remittance_id: remittanceId, attempt_id: attemptId }),
    openingKeyOf: () => `pledge-${attemptId}`,
    isKept: card !== undefined,
    decline: (failure) =>
      inTenant(organizationId, () => concludeAttempt({ attemptId }, { status: 'failed', ...failure })),
    ...parts,
  };
  return { charge, remittanceId, attempt: load };
}

const run = <T>(step: (charge: AttemptCharge) => Promise<T>, charge: AttemptCharge, attempt = 1): Promise<T> =>
  new MockActivityEnvironment({ attempt }).run(step as never, charge as never);
const moved = (remittanceId: string) => platform.moved(remittanceId);
const failureOf = async ({ id }: Attempt) =>
  (await asOwner('SELECT status, failure_code FROM payment_attempts WHERE id = $1', [id]))[0];

/** Pays on a page that keeps the card. */
async function aKeptCard(): Promise<{ card: string; intentId: string }> {
  const port = paymentPort(await inTenant(world.organizationId, () => loadProcessorAccess(processor)));
  const { sessionId, url } = await port.openHostedPayment({
    amountCents: 2_500,
    currency: 'usd',
    description: 'Gift',
    reference: {},
    idempotencyKey: `page:${randomUUID()}`,
    doneUrl: 'https://example.org/',
    cancelUrl: 'https://example.org/',
    keepsCard: true,
  });
  const body = new URLSearchParams({ payment_method: 'pm_card_visa' });
  await fetch(url ?? '', { method: 'POST', body, redirect: 'manual' });
  const state = await port.readHostedPayment(sessionId);
  if (state.status !== 'paid' || !state.keptCard) throw new Error('The page kept no card.');
  return { card: state.keptCard, intentId: state.intentId };
}

test('a charge that may not be confirmed any more captures nothing, and is cancelled at the provider', async () => {
  const { charge, remittanceId, attempt } = await aCharge({ mayConfirm: () => Promise.resolve(false) });
  expect(await run(openAttemptCharge, charge)).toBe('opened');
  expect([await run(confirmAttemptCharge, charge), await run(confirmAttemptCharge, charge, 2)]).toEqual([
    'not_captured',
    'not_captured',
  ]);
  expect([await run(abandonAttemptCharge, charge), await run(abandonAttemptCharge, charge, 2)]).toEqual([
    'failed',
    'failed',
  ]);
  const { access, intentId } = await attempt();
  expect(await paymentPort(access).readCharge(intentId ?? '')).toMatchObject({ status: 'cancelled' });
  expect(await moved(remittanceId)).toEqual([]);
});

test('a charge is not confirmed before it is permitted, and is permitted before each confirmation', async () => {
  const seen: unknown[] = [];
  const { charge, remittanceId } = await aCharge({
    mayConfirm: async () => {
      seen.push(await moved(remittanceId));
      return true;
    },
  });
  await run(openAttemptCharge, charge);
  expect(seen).toEqual([]);
  await platform.fault({ kind: 'drop_before_capture', times: 2, remittance_id: remittanceId });
  await expect(run(confirmAttemptCharge, charge)).rejects.toThrow();
  expect(await run(confirmAttemptCharge, charge, 2)).toBe('captured');
  expect(seen).toEqual([[], []]);
  expect(await moved(remittanceId)).toHaveLength(1);
});

test('a lost confirmation that captured the money is reported, although no further confirmation is permitted', async () => {
  const permissions = [true, false];
  const { charge, remittanceId } = await aCharge({ mayConfirm: async () => permissions.shift() ?? false });
  await run(openAttemptCharge, charge);
  await platform.fault({ kind: 'drop_after_capture', times: 2, remittance_id: remittanceId });
  await expect(run(confirmAttemptCharge, charge)).rejects.toThrow();
  expect(await run(abandonAttemptCharge, charge)).toBe('captured');
  expect(await run(confirmAttemptCharge, charge, 2)).toBe('captured');
  expect(await moved(remittanceId)).toHaveLength(1);
});

test('a kept card is charged once, however often the steps run', async () => {
  const { charge, remittanceId } = await aCharge({ card: (await aKeptCard()).card });
  for (const attempt of [1, 2]) expect(await run(openAttemptCharge, charge, attempt)).toBe('opened');
  for (const attempt of [1, 2]) expect(await run(confirmAttemptCharge, charge, attempt)).toBe('captured');
  expect(await moved(remittanceId)).toHaveLength(1);
});

test.each([
  ['deleted', 'card_gone'],
  ['authentication_required', 'authentication_required'],
  ['stolen', 'stolen_card'],
] as const)('a kept card that becomes %s is declined with %s', async (becomes, code) => {
  const { card, intentId } = await aKeptCard();
  await platform.changeKeptCard({ payment_intent: intentId, becomes });
  const { charge, remittanceId, attempt } = await aCharge({ card });
  const opened = await run(openAttemptCharge, charge);
  if (opened === 'opened') {
    expect(await run(confirmAttemptCharge, charge)).toBe('not_captured');
    expect(await run(abandonAttemptCharge, charge)).toBe('failed');
  } else expect([opened, await run(openAttemptCharge, charge, 2)]).toEqual(['failed', 'failed']);
  expect(await failureOf(await attempt())).toEqual({ status: 'failed', failure_code: code });
  expect(await moved(remittanceId)).toEqual([]);
});
