import type { Client } from '../support/api.js';
import { recordHistory } from '../support/histories.js';
import { asOwner } from '../support/owner.js';
import { aPlatform, aProcessor, eventually } from '../support/platform.js';
import { anInvoice, aWorld, type World } from '../support/world.js';

const platform = aPlatform();
let world: World;
let officer: Client;

beforeAll(async () => {
  world = await aWorld({ members: 3 });
  await aProcessor(world);
  officer = platform.client(world.officer);
});

const invoices = (cents = 10_000) =>
  Promise.all(
    world.memberships.map((membershipId) => anInvoice(world, { chapterId: world.chapterId, membershipId, cents })),
  );

async function aDraft(cents = 10_000): Promise<{ id: string; invoiceIds: string[] }> {
  const invoiceIds = await invoices(cents);
  const created = await officer.post('/api/billing/remittances/', {
    chapter: world.chapterId,
    allocations: invoiceIds.map((invoice) => ({ invoice, amount_cents: cents })),
  });
  expect(created).toMatchObject({ status: 201, body: { status: 'draft', total_cents: cents * invoiceIds.length } });
  return { id: created.body.id, invoiceIds };
}

const pay = (id: string, method = 'pm_card_visa') =>
  officer.post(`/api/billing/remittances/${id}/pay/`, { payment_method: method });
const read = async (id: string) => (await officer.get(`/api/billing/remittances/${id}/`)).body;

test('one charge pays the invoices of every member, and each member has a payment of their own', async () => {
  const { id, invoiceIds } = await aDraft();
  const paid = await pay(id);
  expect(paid).toMatchObject({ status: 200, body: { status: 'settled', total_cents: 30_000 } });
  expect(
    paid.body.allocations.map((share: { processor_payment_id: string }) => share.processor_payment_id).sort(),
  ).toEqual(invoiceIds.map((invoice) => `${id}:${invoice}`).sort());
  expect(await platform.moved(id)).toMatchObject([{ kind: 'capture', amount_cents: 30_000 }]);
  await recordHistory(paid.body.attempts[0].workflow_id, 'payRemittance-settled');
});

test("an officer whose term's end has passed pays as before, so that a date cannot lock a chapter out", async () => {
  await asOwner(
    `UPDATE officer_terms SET starts_on = current_date - 400, ends_on = current_date - 35
      WHERE membership_id = $1 AND ended_on IS NULL`,
    [world.officer.membershipId],
  );
  const running = await officer.get(`/api/chapters/${world.chapterId}/officer-terms/?running=true`);
  expect(running.body.results).toContainEqual(
    expect.objectContaining({ membership: world.officer.membershipId, holds_over: true }),
  );
  const { id } = await aDraft();
  expect(await pay(id)).toMatchObject({ status: 200, body: { status: 'settled' } });
});

test('a declined card leaves the remittance a draft, and another card pays it', async () => {
  const { id } = await aDraft();
  const declined = await pay(id, 'pm_card_chargeDeclined');
  expect(declined).toMatchObject({ status: 400, body: { code: 'payment_declined' } });
  const draft = await read(id);
  expect(draft).toMatchObject({ status: 'draft', processor_payment_id: null });
  await recordHistory(draft.attempts[0].workflow_id, 'payRemittance-declined');
  expect(await pay(id)).toMatchObject({ status: 200, body: { status: 'settled' } });
  expect(await platform.moved(id)).toHaveLength(1);
});

test("a card that needs its holder's confirmation is refused, and its charge can never be captured", async () => {
  const { id } = await aDraft();
  expect(await pay(id, 'pm_card_authenticationRequired')).toMatchObject({
    status: 400,
    body: { code: 'payment_declined', errors: { payment_method: ['The cardholder must confirm the payment.'] } },
  });
  expect(await read(id)).toMatchObject({ status: 'draft', attempts: [{ failure_code: 'authentication_required' }] });
});

test('a token that is unknown to the gateway charges nothing', async () => {
  const { id } = await aDraft();
  expect(await pay(id, 'pm_nobody_has')).toMatchObject({ status: 400 });
  expect(await platform.moved(id)).toEqual([]);
});

test('an answer that is lost after the capture settles the remittance once', async () => {
  const { id } = await aDraft();
  await platform.fault({ kind: 'drop_after_capture', times: 2, remittance_id: id });
  const answer = await pay(id);
  expect([200, 409]).toContain(answer.status);
  await eventually(
    () => read(id),
    ({ status }) => status === 'settled',
  );
  expect(await platform.moved(id)).toHaveLength(1);
});

test('ten concurrent pay requests make one charge and one settlement', async () => {
  const { id } = await aDraft();
  const answers = await Promise.all(Array.from({ length: 10 }, () => pay(id)));
  expect(answers.every(({ status, body }) => status === 200 || body.code === 'remittance_already_settled')).toBe(true);
  expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThan(0);
  expect(await platform.moved(id)).toHaveLength(1);
});

test('another card is refused while a payment attempt runs', async () => {
  const { id } = await aDraft();
  await platform.fault({ kind: 'hold', remittance_id: id });
  const first = pay(id);
  await platform.held();
  expect(await read(id)).toMatchObject({ status: 'processing' });
  expect(await pay(id, 'pm_card_mastercard')).toMatchObject({ status: 409, body: { code: 'remittance_in_progress' } });
  await platform.release();
  expect(await first).toMatchObject({ status: 200 });
});

test('an invoice that is voided while its charge is pending flags the remittance, and the officer resolves it to the right members', async () => {
  const { id, invoiceIds } = await aDraft();
  await platform.fault({ kind: 'hold', remittance_id: id });
  const paying = pay(id);
  await platform.held();
  expect(await read(id)).toMatchObject({ status: 'processing' });
  const admin = platform.client(world.admin);
  expect((await admin.post(`/api/invoices/${invoiceIds[0]}/void/`, { reason: 'Left the chapter' })).status).toBe(200);
  await platform.release();
  expect(await paying).toMatchObject({ status: 409, body: { code: 'remittance_needs_reconciliation' } });
  const flagged = await read(id);
  expect(flagged).toMatchObject({
    status: 'needs_reconciliation',
    reconciliation_amount_cents: 30_000,
    reconciliation_reason: 'allocation_stale',
  });
  await recordHistory(flagged.attempts[0].workflow_id, 'payRemittance-flagged');
  expect(flagged.allocations.every(({ payment }: { payment: string | null }) => payment === null)).toBe(true);

  const replacement = await anInvoice(world, { chapterId: world.chapterId, membershipId: world.member.membershipId });
  const shares = [replacement, ...invoiceIds.slice(1)].map((invoice) => ({ invoice, amount_cents: 10_000 }));
  const resolve = (allocations: object[]) =>
    officer.post(`/api/billing/remittances/${id}/resolve/`, {
      allocations,
      resolution_note: 'The member has another invoice.',
    });
  expect(await resolve(shares.slice(1))).toMatchObject({
    status: 400,
    body: { errors: { allocations: [expect.any(String)] } },
  });
  expect(await resolve(shares)).toMatchObject({
    status: 200,
    body: { status: 'settled', reconciliation_amount_cents: 30_000 },
  });
  expect(await resolve(shares)).toMatchObject({ status: 409, body: { code: 'remittance_not_flagged' } });
  expect(await platform.moved(id)).toHaveLength(1);
});

test('an invoice that another payment pays while its charge is pending flags the remittance', async () => {
  const { id, invoiceIds } = await aDraft();
  await platform.fault({ kind: 'hold', remittance_id: id });
  const paying = pay(id);
  await platform.held();
  await asOwner(
    `WITH capture AS (
       INSERT INTO processor_captures (organization_id, processor_id, intent_id, invoice_id, amount_cents, disposition)
       SELECT $1, id, 'pi_of_the_member', $2, 10000, 'recorded' FROM org_payment_processors WHERE organization_id = $1 RETURNING processor_id)
     INSERT INTO payment_records (organization_id, invoice_id, processor_id, processor_payment_id, intent_id, amount_cents, status, paid_at)
     SELECT $1, $2, processor_id, 'pi_of_the_member', 'pi_of_the_member', 10000, 'succeeded', now() FROM capture`,
    [world.organizationId, invoiceIds[0]],
  );
  await platform.release();
  expect(await paying).toMatchObject({ status: 409, body: { code: 'remittance_needs_reconciliation' } });
  expect(await read(id)).toMatchObject({ reconciliation_reason: 'allocation_stale' });
});

test('a success event that arrives before the answer settles the remittance, and the answer finds it settled', async () => {
  const { id } = await aDraft();
  await platform.fault({ kind: 'hold_after_capture', remittance_id: id });
  const paying = pay(id);
  await eventually(
    () => read(id),
    ({ status }) => status === 'settled',
  );
  await platform.release();
  expect(await paying).toMatchObject({ status: 200, body: { status: 'settled' } });
  expect(await platform.moved(id)).toHaveLength(1);
});

test('resolving to an invoice that is being charged is refused, in either order', async () => {
  const { id } = await aDraft();
  await platform.fault({ kind: 'capture_amount', amount_cents: 10_000, remittance_id: id });
  expect((await pay(id)).status).toBe(409);
  const { id: rival, invoiceIds } = await aDraft();
  const [resolved, paid] = await Promise.all([
    officer.post(`/api/billing/remittances/${id}/resolve/`, {
      allocations: [{ invoice: invoiceIds[0], amount_cents: 10_000 }],
      resolution_note: 'Given to the next invoice.',
    }),
    pay(rival),
  ]);
  // One of the two gets the invoice: the other was refused before any card was charged.
  expect([resolved.status, paid.status].sort((one, other) => one - other)).toEqual([200, 400]);
  expect(await platform.moved(rival)).toHaveLength(paid.status === 200 ? 1 : 0);
});

test('a remittance over an invoice that another remittance is charging is refused', async () => {
  const { id, invoiceIds } = await aDraft();
  const rival = await officer.post('/api/billing/remittances/', {
    chapter: world.chapterId,
    allocations: [{ invoice: invoiceIds[0], amount_cents: 10_000 }],
  });
  await platform.fault({ kind: 'hold', remittance_id: id });
  const paying = pay(id);
  await platform.held();
  expect(await pay(rival.body.id)).toMatchObject({ status: 400, body: { code: 'invoice_reserved' } });
  await platform.release();
  expect(await paying).toMatchObject({ status: 200 });
  expect(await pay(rival.body.id)).toMatchObject({ status: 400, body: { code: 'allocation_stale' } });
  expect(await platform.moved(rival.body.id)).toEqual([]);
});

test('a captured amount that differs from the requested one flags the remittance', async () => {
  const { id } = await aDraft();
  await platform.fault({ kind: 'capture_amount', amount_cents: 29_000, remittance_id: id });
  expect(await pay(id)).toMatchObject({ status: 409, body: { code: 'remittance_needs_reconciliation' } });
  expect(await read(id)).toMatchObject({
    reconciliation_amount_cents: 29_000,
    reconciliation_reason: 'amount_mismatch',
  });
});
