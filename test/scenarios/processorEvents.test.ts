import { createHmac, randomUUID } from 'node:crypto';
import type { Client } from '../support/api.js';
import { asOwner } from '../support/owner.js';
import { recordHistory } from '../support/histories.js';
import { aPlatform, aProcessor, eventually, WEBHOOK_SECRET } from '../support/platform.js';
import { anInvoice, aWorld, type World } from '../support/world.js';

const platform = aPlatform();
let world: World;
let officer: Client;
let processor: string;

beforeAll(async () => {
  world = await aWorld({ members: 2 });
  processor = await aProcessor(world);
  officer = platform.client(world.officer);
});

interface EventOptions {
  id?: string;
  secret?: string;
  at?: number;
  to?: string;
}

/** Delivers an event as the processor would. */
async function deliver(
  type: string,
  object: Record<string, unknown>,
  { id = `evt_${randomUUID()}`, secret = WEBHOOK_SECRET, at, to }: EventOptions = {},
) {
  const body = JSON.stringify({ id, object: 'event', type, data: { object } });
  const t = at ?? Math.floor(Date.now() / 1000);
  const v1 = createHmac('sha256', secret).update(`${t}.${body}`).digest('hex');
  const query = to === undefined ? '' : `?processor=${to}`;
  const response = await fetch(`${platform.api.url}/api/finances/webhooks/processor/${query}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'Stripe-Signature': `t=${t},v1=${v1}` },
    body,
  });
  return { status: response.status, body: (await response.json()) as { code?: string } };
}

const intent = (id: string, amount: number, metadata: Record<string, string>) => ({
  id,
  object: 'payment_intent',
  status: 'succeeded',
  amount,
  amount_received: amount,
  metadata: { processor_id: processor, organization_id: world.organizationId, ...metadata },
});

async function aDraft(): Promise<{ id: string; invoices: string[] }> {
  const invoices = await Promise.all(
    world.memberships.map((membershipId) =>
      anInvoice(world, { chapterId: world.chapterId, membershipId, cents: 5_000 }),
    ),
  );
  const { body } = await officer.post('/api/billing/remittances/', {
    chapter: world.chapterId,
    allocations: invoices.map((invoice) => ({ invoice, amount_cents: 5_000 })),
  });
  return { id: body.id, invoices };
}

const read = async (id: string) => (await officer.get(`/api/billing/remittances/${id}/`)).body;
const applied = (count = 0) =>
  eventually(
    async () =>
      (await asOwner<{ n: number }>('SELECT count(*)::int AS n FROM webhook_events WHERE outcome IS NULL'))[0]?.n ?? -1,
    (waiting) => waiting === count,
  );

test('a success event without an attempt settles the remittance once, however often it is delivered', async () => {
  const { id } = await aDraft();
  const paid = intent(`pi_${randomUUID()}`, 10_000, { remittance_id: id });
  const eventId = `evt_${randomUUID()}`;
  await Promise.all(Array.from({ length: 5 }, () => deliver('payment_intent.succeeded', paid, { id: eventId })));
  await deliver('payment_intent.succeeded', paid, { id: `evt_${randomUUID()}` });
  await eventually(
    () => read(id),
    ({ status }) => status === 'settled',
  );
  await applied();
  const children = await asOwner('SELECT 1 FROM payment_records WHERE remittance_id = $1', [id]);
  expect(children).toHaveLength(2);
  const [event] = await asOwner<{ id: string }>('SELECT id FROM webhook_events WHERE event_id = $1', [eventId]);
  await recordHistory(`processor-event/${event?.id}`, 'applyProcessorEvent-applied');
});

test('a second capture for a settled remittance is flagged and not dropped', async () => {
  const { id } = await aDraft();
  await officer.post(`/api/billing/remittances/${id}/pay/`, { payment_method: 'pm_card_visa' });
  await deliver('payment_intent.succeeded', intent(`pi_${randomUUID()}`, 10_000, { remittance_id: id }));
  expect(
    await eventually(
      () => read(id),
      ({ status }) => status === 'needs_reconciliation',
    ),
  ).toMatchObject({
    reconciliation_reason: 'second_capture',
    reconciliation_amount_cents: 10_000,
  });
  const spare = await anInvoice(world, {
    chapterId: world.chapterId,
    membershipId: world.member.membershipId,
    cents: 10_000,
  });
  const resolved = await officer.post(`/api/billing/remittances/${id}/resolve/`, {
    allocations: [{ invoice: spare, amount_cents: 10_000 }],
    resolution_note: 'Paid twice; the second charge pays the next invoice.',
  });
  expect(resolved).toMatchObject({ status: 200, body: { status: 'settled', total_cents: 20_000 } });
});

test('repeated and shuffled events of a charge that the platform made change nothing', async () => {
  await platform.fault({ kind: 'duplicate_events', copies: 3 });
  await platform.fault({ kind: 'shuffle_events', seed: 7 });
  const { id } = await aDraft();
  expect((await officer.post(`/api/billing/remittances/${id}/pay/`, { payment_method: 'pm_card_visa' })).status).toBe(
    200,
  );
  await eventually(
    async () =>
      (
        await asOwner<{ deliveries: number }>(
          `SELECT deliveries FROM webhook_events WHERE payload->'reference'->>'remittance_id' = $1`,
          [id],
        )
      )[0],
    (event) => (event?.deliveries ?? 0) >= 3,
  );
  await applied();
  expect(await read(id)).toMatchObject({ status: 'settled' });
  expect(await platform.moved(id)).toHaveLength(1);
});

test('a failure that arrives after the success changes nothing', async () => {
  const invoice = await anInvoice(world, {
    chapterId: world.chapterId,
    membershipId: world.member.membershipId,
    cents: 5_000,
  });
  const paid = intent(`pi_${randomUUID()}`, 5_000, { invoice_id: invoice });
  await deliver('payment_intent.succeeded', paid);
  await applied();
  await deliver('payment_intent.payment_failed', paid);
  await applied();
  expect(await asOwner('SELECT status FROM payment_records WHERE intent_id = $1', [paid.id])).toEqual([
    { status: 'succeeded' },
  ]);
  expect(await asOwner('SELECT status FROM chapter_invoices WHERE id = $1', [invoice])).toEqual([{ status: 'paid' }]);
});

test('an overpaid invoice leaves its payer a credit', async () => {
  const invoice = await anInvoice(world, {
    chapterId: world.chapterId,
    membershipId: world.member.membershipId,
    cents: 5_000,
  });
  await deliver('payment_intent.succeeded', intent(`pi_${randomUUID()}`, 6_000, { invoice_id: invoice }));
  await applied();
  const [entry] = await asOwner(
    'SELECT kind, amount_cents::int AS cents, membership_id FROM chapter_account_credits WHERE invoice_id = $1',
    [invoice],
  );
  expect(entry).toEqual({ kind: 'issued', cents: 1_000, membership_id: world.member.membershipId });
});

test('a refund event reopens the invoices of the refunded payment', async () => {
  const { id } = await aDraft();
  await officer.post(`/api/billing/remittances/${id}/pay/`, { payment_method: 'pm_card_visa' });
  const { processor_payment_id: charge } = await read(id);
  await deliver('charge.refunded', {
    id: 'ch_x',
    object: 'charge',
    payment_intent: charge,
    amount: 10_000,
    amount_refunded: 10_000,
    metadata: { processor_id: processor },
  });
  await applied();
  const payments = await asOwner(
    'SELECT refunded_cents::int AS refunded FROM payment_records WHERE remittance_id = $1',
    [id],
  );
  expect(payments).toEqual([{ refunded: 5_000 }, { refunded: 5_000 }]);
});

test('a refund event reduces the flagged amount, and a fully refunded remittance can be paid again', async () => {
  const { id } = await aDraft();
  await platform.fault({ kind: 'capture_amount', amount_cents: 9_000, remittance_id: id });
  expect((await officer.post(`/api/billing/remittances/${id}/pay/`, { payment_method: 'pm_card_visa' })).status).toBe(
    409,
  );
  const { processor_payment_id: charge } = await read(id);
  const refunded = (amount: number) =>
    deliver('charge.refunded', {
      id: 'ch_y',
      object: 'charge',
      payment_intent: charge,
      amount: 9_000,
      amount_refunded: amount,
      metadata: { processor_id: processor },
    });
  await refunded(2_000);
  await eventually(
    () => read(id),
    ({ reconciliation_amount_cents }) => reconciliation_amount_cents === 7_000,
  );
  await refunded(9_000);
  const draft = await eventually(
    () => read(id),
    ({ status }) => status === 'draft',
  );
  expect(draft).toMatchObject({
    processor_payment_id: null,
    reconciliation_reason: 'amount_mismatch',
    reconciliation_amount_cents: 7_000,
    reconciliation_flagged_at: expect.any(String),
    resolved_at: expect.any(String),
  });
  expect(
    (await officer.post(`/api/billing/remittances/${id}/pay/`, { payment_method: 'pm_card_visa' })).body,
  ).toMatchObject({ status: 'settled' });
});

test('a refund event that arrives before its payment waits for it', async () => {
  const invoice = await anInvoice(world, {
    chapterId: world.chapterId,
    membershipId: world.member.membershipId,
    cents: 5_000,
  });
  const paid = intent(`pi_${randomUUID()}`, 5_000, { invoice_id: invoice });
  await deliver('charge.refunded', {
    object: 'charge',
    payment_intent: paid.id,
    amount: 5_000,
    amount_refunded: 5_000,
    metadata: paid.metadata,
  });
  await deliver('payment_intent.succeeded', paid);
  await applied();
  expect(
    await asOwner('SELECT refunded_cents::int AS refunded FROM payment_records WHERE intent_id = $1', [paid.id]),
  ).toEqual([{ refunded: 5_000 }]);
  expect(
    await asOwner('SELECT status, balance_due_cents::int AS due FROM chapter_invoices WHERE id = $1', [invoice]),
  ).toEqual([{ status: 'open', due: 5_000 }]);
});

test('a capture above the largest possible charge flags its remittance, and can be resolved to large invoices', async () => {
  const { id } = await aDraft();
  await deliver('payment_intent.succeeded', intent(`pi_${randomUUID()}`, 150_000_000, { remittance_id: id }));
  await applied();
  expect(await read(id)).toMatchObject({
    status: 'needs_reconciliation',
    reconciliation_reason: 'amount_mismatch',
    reconciliation_amount_cents: 150_000_000,
  });
  const { chapterId, member } = world;
  const large = () => anInvoice(world, { chapterId, membershipId: member.membershipId, cents: 75_000_000 });
  const allocations = [await large(), await large()].map((invoice) => ({ invoice, amount_cents: 75_000_000 }));
  expect(
    await officer.post(`/api/billing/remittances/${id}/resolve/`, {
      allocations,
      resolution_note: 'The gateway erred.',
    }),
  ).toMatchObject({ status: 200, body: { status: 'settled' } });
});

test('a charge of the platform that captured more than the largest possible charge is flagged and leaves nothing pending', async () => {
  const { id } = await aDraft();
  await platform.fault({ kind: 'capture_amount', amount_cents: 150_000_000, remittance_id: id });
  expect(await officer.post(`/api/billing/remittances/${id}/pay/`, { payment_method: 'pm_card_visa' })).toMatchObject({
    status: 409,
    body: { code: 'remittance_needs_reconciliation' },
  });
  await applied();
  expect(await read(id)).toMatchObject({
    status: 'needs_reconciliation',
    reconciliation_reason: 'amount_mismatch',
    attempts: [{ status: 'flagged' }],
  });
});

test('a failed charge that was made at the gateway is recorded once, and a later success settles the remittance', async () => {
  const { id } = await aDraft();
  const tried = {
    ...intent(`pi_${randomUUID()}`, 10_000, { remittance_id: id }),
    last_payment_error: { code: 'card_declined', decline_code: 'insufficient_funds', message: 'Card 4242 of Jordan' },
  };
  for (let time = 0; time < 2; time += 1) await deliver('payment_intent.payment_failed', tried);
  await applied();
  expect(await read(id)).toMatchObject({
    status: 'draft',
    attempts: [{ status: 'failed', failure_code: 'insufficient_funds' }],
  });
  const entries = await asOwner(
    `SELECT after->>'failure_code' AS code FROM audit_log WHERE action = 'remittance.payment_failed' AND subject_id = $1`,
    [id],
  );
  expect(entries).toEqual([{ code: 'insufficient_funds' }]);
  await deliver('payment_intent.succeeded', intent(tried.id, 10_000, { remittance_id: id }));
  await applied();
  expect(await read(id)).toMatchObject({ status: 'settled' });
});

test.each([['another currency', { currency: 'jpy' }]])(
  'money of %s pays no invoice, and is flagged',
  async (_, odd) => {
    const { id } = await aDraft();
    const paid = { ...intent(`pi_${randomUUID()}`, 10_000, { remittance_id: id }), ...odd };
    await deliver('payment_intent.succeeded', paid);
    await applied();
    expect(await read(id)).toMatchObject({ status: 'draft' });
    expect(await asOwner('SELECT disposition FROM processor_captures WHERE intent_id = $1', [paid.id])).toEqual([
      { disposition: 'flagged' },
    ]);
  },
);

test.each([['evt_\u0000'], ['e'.repeat(5_000)], ['']])('a signed event with the id %j is refused', async (id) => {
  const { status } = await deliver('payment_intent.succeeded', intent('pi_x', 1, {}), { id, to: processor });
  expect(status).toBe(400);
});

test('other metadata of a charge is not stored', async () => {
  const { id } = await aDraft();
  const paid = intent(`pi_${randomUUID()}`, 10_000, { remittance_id: id, note: 'a\u0000b', name: 'Grace' });
  expect((await deliver('payment_intent.succeeded', paid)).status).toBe(200);
  await eventually(
    () => read(id),
    ({ status }) => status === 'settled',
  );
  const [event] = await asOwner(
    `SELECT payload->'reference' AS reference FROM webhook_events WHERE payload->>'intentId' = $1`,
    [paid.id],
  );
  expect(Object.keys(event?.['reference'] as object).sort()).toEqual([
    'organization_id',
    'processor_id',
    'remittance_id',
  ]);
});

test('a signature header with two timestamps is refused', async () => {
  const body = JSON.stringify({
    id: 'evt_two',
    object: 'event',
    type: 'payment_intent.succeeded',
    data: { object: intent('pi_two', 1, {}) },
  });
  const now = Math.floor(Date.now() / 1000);
  const v1 = createHmac('sha256', WEBHOOK_SECRET)
    .update(`${now + 90_000}.${body}`)
    .digest('hex');
  const response = await fetch(`${platform.api.url}/api/finances/webhooks/processor/`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'Stripe-Signature': `t=${now},t=${now + 90_000},v1=${v1}` },
    body,
  });
  expect(response.status).toBe(400);
});

test('money for a remittance that does not exist is kept for an administrator', async () => {
  const paid = intent(`pi_${randomUUID()}`, 1_234, { remittance_id: randomUUID() });
  await deliver('payment_intent.succeeded', paid);
  await applied();
  expect(
    await asOwner('SELECT disposition, amount_cents::int AS cents FROM processor_captures WHERE intent_id = $1', [
      paid.id,
    ]),
  ).toEqual([{ disposition: 'flagged', cents: 1_234 }]);
});

test.each([
  ['another secret', { secret: 'whsec_of_somebody_else' }],
  ['a signature that is too old', { at: Math.floor(Date.now() / 1000) - 3_600 }],
  ['a signature from the future', { at: Math.floor(Date.now() / 1000) + 3_600 }],
  ['a processor that nobody has', { to: randomUUID() }],
  ['an address that names no processor', { to: 'x' }],
])('an event with %s is refused and not stored', async (_, options) => {
  const { id } = await aDraft();
  const eventId = `evt_${randomUUID()}`;
  const answer = await deliver(
    'payment_intent.succeeded',
    intent(`pi_${randomUUID()}`, 10_000, { remittance_id: id }),
    { id: eventId, ...options },
  );
  expect(answer).toMatchObject({ status: 400, body: { code: 'webhook_refused' } });
  expect(await asOwner('SELECT 1 FROM webhook_events WHERE event_id = $1', [eventId])).toEqual([]);
});

test("one organization's processor cannot touch another organization's remittance", async () => {
  const other = await aWorld();
  const foreign = await aProcessor(other);
  const { id } = await aDraft();
  await deliver('payment_intent.succeeded', intent(`pi_${randomUUID()}`, 10_000, { remittance_id: id }), {
    to: foreign,
  });
  await applied();
  expect(await read(id)).toMatchObject({ status: 'draft' });
});

test('a member pays an invoice on the hosted page', async () => {
  const invoice = await anInvoice(world, {
    chapterId: world.chapterId,
    membershipId: world.member.membershipId,
    cents: 5_000,
  });
  const member = platform.client(world.member);
  const session = await member.post(`/api/invoices/${invoice}/pay/`);
  expect(session).toMatchObject({ status: 201, body: { url: expect.stringContaining(platform.gateway.url) } });
  expect((await member.post(`/api/invoices/${invoice}/pay/`)).body.url).toBe(session.body.url);
  await fetch(session.body.url, {
    method: 'POST',
    redirect: 'manual',
    headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
    body: 'payment_method=pm_card_visa',
  });
  await eventually(
    () => asOwner('SELECT status FROM chapter_invoices WHERE id = $1', [invoice]),
    ([row]) => row?.['status'] === 'paid',
  );
  expect(await asOwner('SELECT status FROM payment_attempts WHERE invoice_id = $1', [invoice])).toEqual([
    { status: 'succeeded' },
  ]);
  expect(await member.post(`/api/invoices/${invoice}/pay/`)).toMatchObject({
    status: 409,
    body: { code: 'invoice_not_payable' },
  });
});
