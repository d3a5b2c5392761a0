/** A flagged remittance proposes where its money goes: what no invoice can take is refunded once, and the rest is allocated as proposed. */
import type { Client } from '../support/api.js';
import { asOwner } from '../support/owner.js';
import { aPlatform, aProcessor, eventually } from '../support/platform.js';
import { anInvoice, aWorld, type World } from '../support/world.js';

const platform = aPlatform();
let world: World;
let officer: Client;
let admin: Client;

beforeEach(async () => {
  world = await aWorld({ members: 3 });
  await aProcessor(world);
  [officer, admin] = [platform.client(world.officer), platform.client(world.admin)];
});

const at = (id: string, rest: string) => `/api/billing/remittances/${id}/${rest}/`;
const proposal = async (id: string, by = officer) => (await by.get(at(id, 'repair-proposal'))).body;
const due = (membershipId: string, cents: number, dueIn = 14) =>
  anInvoice(world, { chapterId: world.chapterId, membershipId, cents, dueIn });

/** A charge of another amount than was requested, with one invoice for each member. */
async function flagged(capturedCents: number): Promise<{ id: string; invoices: string[] }> {
  const invoices = await Promise.all(world.memberships.map((membershipId) => due(membershipId, 10_000)));
  const created = await officer.post('/api/billing/remittances/', {
    chapter: world.chapterId,
    allocations: invoices.map((invoice) => ({ invoice, amount_cents: 10_000 })),
  });
  const { id } = created.body;
  await platform.fault({ kind: 'capture_amount', amount_cents: capturedCents, remittance_id: id });
  const paid = await officer.post(at(id, 'pay'), { payment_method: 'pm_card_visa' });
  expect(paid.body.code).toBe('remittance_needs_reconciliation');
  return { id, invoices };
}

test('money that no invoice can take is refunded once, and the rest is resolved by the proposal', async () => {
  const { id, invoices } = await flagged(42_000);
  const before = await proposal(id);
  expect(before).toMatchObject({
    waiting_cents: 42_000,
    placed_cents: 30_000,
    unplaced_cents: 12_000,
    refunding_cents: 0,
  });
  expect(
    before.changes.map(({ invoice, reason }: { invoice: string; reason: string }) => `${invoice} ${reason}`).sort(),
  ).toEqual(invoices.map((invoice) => `${invoice} kept`).sort());
  const resolve = (proposal_hash: string) =>
    officer.post(at(id, 'resolve'), { proposal_hash, resolution_note: 'As proposed.' });
  expect((await resolve(before.proposal_hash)).body).toMatchObject({ code: 'money_unplaced' });
  const giveBack = (by: Client, proposal_hash = before.proposal_hash) =>
    by.post(at(id, 'refund-unplaced'), { proposal_hash, reason: 'Typed wrongly' });
  expect((await giveBack(officer)).status).toBe(403);
  expect([before.may_refund_unplaced, (await proposal(id, admin)).may_refund_unplaced]).toEqual([false, true]);
  expect((await giveBack(admin, 'f'.repeat(64))).body).toMatchObject({ code: 'proposal_stale' });
  const answers = await Promise.all([giveBack(admin), giveBack(admin), giveBack(admin)]);
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
  expect(answers.filter(({ status }) => status === 409)).toHaveLength(2);
  const after = await eventually(
    () => proposal(id),
    ({ waiting_cents, refunding_cents }) => waiting_cents === 30_000 && refunding_cents === 0,
  );
  expect(after).toMatchObject({ placed_cents: 30_000, unplaced_cents: 0 });
  expect((await platform.moved(id)).map(({ kind, amount_cents }) => [kind, amount_cents])).toEqual([
    ['capture', 42_000],
    ['refund', 12_000],
  ]);
  expect((await giveBack(admin, after.proposal_hash)).body).toMatchObject({ code: 'nothing_unplaced' });
  const resolved = await resolve(after.proposal_hash);
  expect(resolved).toMatchObject({ status: 200, body: { status: 'settled', total_cents: 30_000 } });
  expect((await resolve(after.proposal_hash)).body).toMatchObject({ code: 'remittance_not_flagged' });
});

test("a proposal allocates money to the replacement invoice, then to the member's other invoices, then to the chapter's oldest", async () => {
  const [first, second, third] = world.memberships as [string, string, string];
  const { id, invoices } = await flagged(35_000);
  const [void_, partly] = invoices as [string, string, string];
  const dues = await due(first, 4_000);
  await asOwner(`UPDATE chapter_invoices SET is_recurring = true WHERE id = ANY ($1)`, [[void_, dues].slice(0, 1)]);
  await asOwner(`UPDATE chapter_invoices SET voided_at = now() WHERE id = $1`, [void_]);
  await asOwner(`UPDATE chapter_invoices SET is_recurring = true, replaces = $2 WHERE id = $1`, [dues, void_]);
  const later = await due(first, 1_500, 30);
  const sooner = await due(first, 1_000, 5);
  await asOwner(
    `INSERT INTO invoice_discounts (organization_id, invoice_id, amount_cents, reason) VALUES ($1, $2, 3000, 'Hardship')`,
    [world.organizationId, partly],
  );
  const oldest = await due(third, 20_000, 1);
  const { changes, unplaced_cents, proposal_hash } = await proposal(id);
  const summaries = changes.map((change: Record<string, unknown>) => [
    change['reason'],
    change['invoice'],
    change['amount_cents'],
    change['meant_for'],
  ]);
  expect(summaries).toEqual([
    ['kept', invoices[2], 10_000, invoices[2]],
    ['replacement', dues, 4_000, void_],
    ['same_member', sooner, 1_000, void_],
    ['same_member', later, 1_500, void_],
    ['shortened', partly, 7_000, partly],
    // More was captured than requested: the members of the remittance come first.
    ['same_member', oldest, 5_000, null],
    ['other_member', oldest, 6_500, null],
  ]);
  expect(unplaced_cents).toBe(0);
  expect(second).toBeDefined();
  // An invoice is reduced in between.
  await asOwner(
    `INSERT INTO invoice_discounts (organization_id, invoice_id, amount_cents, reason) VALUES ($1, $2, 500, 'Hardship')`,
    [world.organizationId, later],
  );
  const resolve = (hash: string) =>
    officer.post(at(id, 'resolve'), { proposal_hash: hash, resolution_note: 'As proposed.' });
  expect((await resolve(proposal_hash)).body).toMatchObject({ code: 'proposal_stale' });
  expect(await resolve((await proposal(id)).proposal_hash)).toMatchObject({
    status: 200,
    body: { status: 'settled', total_cents: 35_000 },
  });
});

test('an officer who sees no amounts resolves by the proposal alone', async () => {
  const { id, invoices } = await flagged(29_000);
  await asOwner(
    `INSERT INTO org_dues_settings (organization_id, officers_see_amounts) VALUES ($1, false)
     ON CONFLICT (organization_id) DO UPDATE SET officers_see_amounts = false`,
    [world.organizationId],
  );
  const shown = await proposal(id);
  expect(shown).toMatchObject({ waiting_cents: null, placed_cents: null, unplaced_cents: null });
  expect(JSON.stringify(shown)).not.toMatch(/_cents":\d/);
  expect(shown.changes.map(({ reason }: { reason: string }) => reason)).toEqual(['kept', 'kept', 'shortened']);
  const byTrial = await officer.post(at(id, 'resolve'), {
    allocations: invoices.map((invoice) => ({ invoice })),
    resolution_note: 'By trial.',
  });
  expect(byTrial).toMatchObject({ status: 400, body: { errors: { proposal_hash: [expect.any(String)] } } });
  const { proposal_hash } = shown;
  expect((await officer.post(at(id, 'resolve'), { proposal_hash, resolution_note: 'As proposed.' })).status).toBe(200);
});

test.each(['drop_before_capture', 'drop_after_capture', 'error_after_capture'])(
  "a part of a charge is refunded once although the gateway's answer is lost (%s)",
  async (kind) => {
    const { id } = await flagged(31_000);
    const { proposal_hash } = await proposal(id, admin);
    await platform.fault({ kind, operation: 'refund', times: 2 });
    const answer = await admin.post(at(id, 'refund-unplaced'), { proposal_hash, reason: 'Typed wrongly' });
    expect(answer.status).toBe(201);
    await eventually(
      () => proposal(id, admin),
      ({ waiting_cents, refunding_cents }) => waiting_cents === 30_000 && refunding_cents === 0,
      60,
    );
    expect((await platform.moved(id)).filter(({ kind: moved }) => moved === 'refund')).toMatchObject([
      { amount_cents: 1_000 },
    ]);
  },
);
