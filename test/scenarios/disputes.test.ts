/**
 * A payer's bank charges a payment back, returns the money and charges it back again: the ledger follows the money that moved, in
 * any order of events.
 */
import type { Client } from '../support/api.js';
import { expectSoundLedger } from '../support/ledger.js';
import { asOwner } from '../support/owner.js';
import { aPlatform, aProcessor, eventually } from '../support/platform.js';
import { accountKeyOf } from '../support/walk/outsider.js';
import { aMember, anInvoice, aWorld, type Person, type World } from '../support/world.js';

const platform = aPlatform();
let world: World;
let other: Person;
let admin: Client;
let processor: string;

const EVENTS = ['created', 'updated', 'funds_withdrawn', 'funds_reinstated', 'closed'];

beforeEach(async () => {
  world = await aWorld({ members: 1 });
  other = await aMember(world.organizationId, world.chapterId);
  processor = await aProcessor(world);
  await platform.hear(
    processor,
    accountKeyOf(processor),
    EVENTS.map((one) => `charge.dispute.${one}`),
  );
  admin = platform.client(world.admin);
});
afterEach(async () => {
  await platform.clearFaults();
  await settled();
  await expectSoundLedger();
});

const settled = () =>
  eventually(
    () =>
      asOwner('SELECT id FROM webhook_events WHERE organization_id = $1 AND outcome IS NULL', [world.organizationId]),
    (waiting) => waiting.length === 0,
    60,
  );

/** Invoices that one charge has paid, as payments of a remittance. */
async function paid(cents: number[]) {
  const members = [world.member, other];
  const invoices = await Promise.all(
    cents.map((each, n) =>
      anInvoice(world, {
        chapterId: world.chapterId,
        membershipId: (members[n % 2] as Person).membershipId,
        cents: each,
      }),
    ),
  );
  const allocations = invoices.map((invoice, n) => ({ invoice, amount_cents: cents[n] as number }));
  const draft = await admin.post('/api/billing/remittances/', { chapter: world.chapterId, allocations });
  const answer = await admin.post(`/api/billing/remittances/${draft.body.id}/pay/`, { payment_method: 'pm_card_visa' });
  expect([answer.status, answer.body.status]).toEqual([200, 'settled']);
  return { invoices, intent: answer.body.processor_payment_id as string };
}

async function bank(order: object): Promise<{ id: string }> {
  const response = await fetch(`${platform.gateway.controlUrl}/disputes`, {
    method: 'POST',
    body: JSON.stringify(order),
  });
  expect(response.status).toBe(200);
  return (await response.json()) as { id: string };
}
const open = (intent: string, amount_cents?: number) =>
  bank({ kind: 'dispute_open', payment_intent: intent, ...(amount_cents !== undefined && { amount_cents }) });
const read = async (invoice: string | undefined) => (await admin.get(`/api/invoices/${invoice}/`)).body;
const all = async () => (await admin.get(`/api/organizations/${world.organizationId}/disputes/`)).body.results;
const becomes = (expected: object) =>
  eventually(all, ([one]) => Object.entries(expected).every(([key, value]) => one?.[key] === value), 60);

test('a dispute reverses the payment, winning restores it, and a won dispute can be lost again', async () => {
  const { invoices, intent } = await paid([5_000]);
  const { id } = await open(intent);
  const [dispute] = await becomes({ withdrawn_cents: 5_000 });
  expect(dispute).toMatchObject({
    status: 'open',
    invoices,
    fee_cents: 1_500,
    unallocated_cents: 0,
    evidence_due_at: expect.any(String),
    movements: [{ kind: 'withdrawn', amount_cents: 5_000 }, { kind: 'fee' }],
  });
  expect(await read(invoices[0])).toMatchObject({ status: 'open', balance_due_cents: 5_000, overdue_at: null });
  expect(await admin.post(`/api/invoices/${invoices[0]}/refund/`, { reason: 'Again' })).toMatchObject({
    status: 409,
    body: { code: 'nothing_to_refund' },
  });

  await bank({ kind: 'dispute_won', dispute: id });
  await becomes({ status: 'won', reinstated_cents: 5_000, fee_cents: 0 });
  expect(await read(invoices[0])).toMatchObject({ status: 'paid', balance_due_cents: 0 });

  await bank({ kind: 'dispute_lost', dispute: id });
  await becomes({ status: 'lost', withdrawn_cents: 10_000, evidence_due_at: null });
  expect(await read(invoices[0])).toMatchObject({ status: 'open', balance_due_cents: 5_000 });
  await bank({ kind: 'dispute_won', dispute: id });
  await becomes({ status: 'won', reinstated_cents: 10_000 });

  const { body } = await admin.get(`/api/invoices/${invoices[0]}/explain/`);
  expect(body.entries.map((entry: { cause: { kind: string } }) => entry.cause.kind)).toEqual([
    'line',
    'payment',
    'dispute',
    'dispute_reinstated',
    'dispute',
    'dispute_reinstated',
  ]);
  expect(body.entries.at(-1)).toMatchObject({
    running_balance_cents: 0,
    cause: { id: dispute.id, gateway_object: id },
  });
  expect(body.balance_cents).toBe(0);
  const [payment] = (await read(invoices[0])).payments;
  expect(payment).toMatchObject({ status: 'succeeded', refunded_cents: 0 });
});

test('dispute events that arrive shuffled, duplicated and at once end as they would in order', async () => {
  await platform.fault({ kind: 'shuffle_events', window_ms: 500 });
  await platform.fault({ kind: 'duplicate_events', copies: 5 });
  const { invoices, intent } = await paid([4_000]);
  const { id } = await open(intent);
  await bank({ kind: 'dispute_won', dispute: id });
  await bank({ kind: 'dispute_lost', dispute: id });
  await becomes({ status: 'lost', withdrawn_cents: 8_000, reinstated_cents: 4_000 });
  await settled();
  expect((await all())[0].movements).toHaveLength(6);
  expect(await read(invoices[0])).toMatchObject({ balance_due_cents: 4_000 });
  const notices = await asOwner(
    `SELECT id FROM notifications WHERE organization_id = $1 AND notification_type = 'dispute_opened'`,
    [world.organizationId],
  );
  expect(notices).toHaveLength(1);
});

test('a dispute of a whole remittance reopens all its invoices, and a dispute of a part opens a case', async () => {
  const { invoices, intent } = await paid([3_000, 2_000]);
  const { id } = await open(intent, 1_000);
  await becomes({ withdrawn_cents: 1_000, unallocated_cents: 1_000 });
  for (const invoice of invoices) expect(await read(invoice)).toMatchObject({ status: 'paid' });
  // The withdrawn amount cannot be refunded as well: at most the rest of the charge is refundable.
  const back = await admin.post(`/api/invoices/${invoices[0]}/refund/`, { reason: 'Cancelled' });
  expect(back.body.refunds).toMatchObject([{ status: 'succeeded', amount_cents: 3_000 }]);
  const more = (amount_cents: number) =>
    admin.post(`/api/invoices/${invoices[1]}/refund/`, { reason: 'Cancelled', amount_cents });
  expect(await more(1_001)).toMatchObject({ status: 409, body: { code: 'refund_exceeds_refundable' } });
  const [{ money_case }] = await all();
  expect((await admin.get(`/api/organizations/${world.organizationId}/money-cases/${money_case}/`)).body).toMatchObject(
    {
      kind: 'dispute_unallocated',
      amount_cents: 1_000,
    },
  );
  await bank({ kind: 'dispute_won', dispute: id });
  await becomes({ status: 'won', unallocated_cents: 0 });

  const second = await paid([3_000, 2_000]);
  await open(second.intent);
  await becomes({ withdrawn_cents: 5_000, unallocated_cents: 0 });
  expect(await read(second.invoices[0])).toMatchObject({ balance_due_cents: 3_000 });
  expect(await read(second.invoices[1])).toMatchObject({ balance_due_cents: 2_000 });
});

test('a dispute of the rest of a partly refunded remittance reopens the invoices that were not refunded', async () => {
  const { invoices, intent } = await paid([3_000, 2_000]);
  await admin.post(`/api/invoices/${invoices[0]}/refund/`, { reason: 'Cancelled' });
  const { id } = await open(intent, 2_000);
  await becomes({ withdrawn_cents: 2_000, unallocated_cents: 0 });
  expect(await read(invoices[1])).toMatchObject({ balance_due_cents: 2_000 });
  await bank({ kind: 'dispute_won', dispute: id });
  await becomes({ status: 'won' });
  expect(await read(invoices[0])).toMatchObject({ balance_due_cents: 3_000 });
  expect(await read(invoices[1])).toMatchObject({ balance_due_cents: 0 });
});

test('credit of a disputed payment that was spent stays spent, and its amount is unallocated', async () => {
  const { invoices, intent } = await paid([6_000]);
  const next = await anInvoice(world, {
    chapterId: world.chapterId,
    membershipId: world.member.membershipId,
    cents: 4_500,
  });
  await admin.post(`/api/invoices/${invoices[0]}/void/`, { reason: 'A mistake' });
  await admin.post(`/api/invoices/${next}/adjust/`, { kind: 'credit', amount_cents: 4_500, reason: 'From credit' });
  expect(await read(next)).toMatchObject({ status: 'paid' });
  const { id } = await open(intent);
  await becomes({ withdrawn_cents: 6_000, unallocated_cents: 4_500 });
  expect(await read(next)).toMatchObject({ status: 'paid' });
  const credit = `/api/hq/dues/${world.organizationId}/chapters/${world.chapterId}/credit/?member=${world.member.membershipId}`;
  expect((await admin.get(credit)).body).toMatchObject({ available_cents: 0 });
  await bank({ kind: 'dispute_won', dispute: id });
  await becomes({ status: 'won', unallocated_cents: 0 });
  expect((await admin.get(credit)).body).toMatchObject({ available_cents: 1_500 });
});

test('a dispute whose event arrives before its payment’s waits, and the payment is recorded first', async () => {
  const invoice = await anInvoice(world, {
    chapterId: world.chapterId,
    membershipId: world.member.membershipId,
    cents: 4_200,
  });
  const page = await platform.client(world.member).post(`/api/invoices/${invoice}/pay/`);
  expect(page.status).toBe(201);
  const body = new URLSearchParams({ payment_method: 'pm_card_visa' });
  await fetch(page.body.url, { method: 'POST', redirect: 'manual', body });
  const [charge] = (await fetchIntents()).data;
  // No event of the payment arrives here, and its page is looked at rarely.
  await open((charge as { id: string }).id);
  await becomes({ withdrawn_cents: 4_200 });
  expect(await read(invoice)).toMatchObject({ status: 'open', balance_due_cents: 4_200 });
  expect((await read(invoice)).payments).toMatchObject([{ status: 'succeeded', amount_cents: 4_200 }]);
});

const fetchIntents = async (): Promise<{ data: { id: string }[] }> => {
  const headers = { Authorization: `Bearer ${accountKeyOf(processor)}` };
  return (await (await fetch(`${platform.gateway.url}/v1/payment_intents`, { headers })).json()) as {
    data: { id: string }[];
  };
};
