/** Disputes as a provider reports them: the ledger ends the same in any order, with concurrent and repeated answers. */
import { inTenant } from '../../../models/database/tenancy.js';
import { readLedger } from '../../../models/finances/accounts/readLedger.js';
import { readInvariants } from '../../../models/finances/checkLedger.js';
import { recordDisputes, type ReportedDispute } from '../../../models/finances/disputes/recordDisputes.js';
import { remindOfEvidence } from '../../../models/finances/disputes/remindOfEvidence.js';
import { type Charged, charged } from '../../models/finances/ledger.support.js';
import { apiWorld, expectNowhere } from '../../support/apiWorld.js';
import { asOwner } from '../../support/owner.js';
import { countStatements } from '../../support/statements.js';
import type { World } from '../../support/world.js';

const stage = apiWorld();
const RULES = readInvariants().filter(({ examines }) =>
  /^(chapter_|payment_|processor_captures|refunds|money_cases)/.test(examines),
);
afterEach(async () => {
  for (const { name, query } of RULES) expect({ name, rows: await asOwner(query) }).toEqual({ name, rows: [] });
});

const IN_A_DAY = new Date(Math.ceil(Date.now() / 1000) * 1000 + 86_400_000);

/** A dispute after this number of movements: withdrawn, reinstated, withdrawn again. */
function after(movements: number, amountCents = 30_000, id = 'dp_1'): ReportedDispute {
  const all = (['withdrawn', 'reinstated', 'withdrawn'] as const).map((kind, n) => ({
    kind,
    amountCents,
    movementId: `txn_${id}_${n}`,
    at: new Date(1_700_000_000_000 + n * 1000),
  }));
  return {
    gatewayDisputeId: id,
    reference: {},
    amountCents,
    currency: 'usd',
    reason: 'fraudulent',
    decision: (['none', 'none', 'won', 'lost'] as const)[movements] ?? 'none',
    evidenceDueAt: movements < 2 ? IN_A_DAY : null,
    openedAt: new Date(1_700_000_000_000),
    movements: all.slice(0, movements),
  };
}

/** A dispute at a provider that reports no movements, only the amount that it holds. */
function holding(movements: number): ReportedDispute {
  const { movements: _, ...dispute } = after(movements);
  const held = { cents: movements % 2 === 1 ? dispute.amountCents : 0, since: new Date(1_700_000_000_000 + movements) };
  return { ...dispute, movements: [], held };
}

/** Records an answer of the provider. @param second second at which the provider was asked */
const report = ({ world, processorId, intentId }: Charged, second: number, ...disputes: ReportedDispute[]) =>
  inTenant(world.organizationId, () =>
    recordDisputes(processorId, intentId, {
      askedAt: new Date(1_700_000_000_000 + second * 1000).toISOString(),
      disputes,
    }),
  );
const path = ({ organizationId }: World, rest = '') => `/api/organizations/${organizationId}/disputes/${rest}`;
const list = async ({ world }: Charged, query = '') =>
  (await stage.as(world.admin).get(path(world, query))).body.results;
const due = async ({ world, invoices }: Charged): Promise<number[]> => {
  const found = await asOwner<{ id: string; cents: number }>(
    'SELECT id, balance_due_cents::int AS cents FROM chapter_invoices WHERE organization_id = $1',
    [world.organizationId],
  );
  return invoices.map((id) => found.find((one) => one.id === id)?.cents ?? -1);
};

test.each([[[1, 2, 3]], [[3, 2, 1]], [[2, 1, 3]], [[1, 3, 2, 1, 3]], [[3]]])(
  'answers of the provider that arrive as %j end the same',
  async (order) => {
    const charge = await charged();
    for (const movements of order) await report(charge, movements, after(movements));
    const [dispute] = await list(charge);
    expect(dispute).toMatchObject({
      status: 'lost',
      withdrawn_cents: 60_000,
      reinstated_cents: 30_000,
      evidence_due_at: null,
      unallocated_cents: 0,
    });
    expect(dispute.movements).toHaveLength(3);
    expect(await due(charge)).toEqual([10_000, 10_000, 10_000]);
    // The payers' accounts list the dispute and add up to what is due.
    const payers = await asOwner<{ id: string }>(
      'SELECT DISTINCT membership_id AS id FROM chapter_invoices WHERE organization_id = $1',
      [charge.world.organizationId],
    );
    for (const { id } of payers) {
      const account = await inTenant(charge.world.organizationId, () => readLedger(id, { page: 1, pageSize: 100 }));
      expect(account.results.map(({ kind }) => kind)).toContain('dispute');
      expect(account.results.reduce((sum, { amount_cents }) => sum + amount_cents, 0)).toBe(account.balance_due_cents);
    }
  },
);

test.each([
  [[1, 2, 3], 3],
  [[3, 2, 1], 1],
  [[1, 1, 3, 2, 3], 1],
])('answers with only the held amount, arriving as %j, make %i movements and end the same', async (order, moved) => {
  const charge = await charged();
  for (const movements of order) await report(charge, movements, holding(movements));
  const [dispute] = await list(charge);
  expect(dispute).toMatchObject({ status: 'lost', evidence_due_at: null, unallocated_cents: 0 });
  expect(dispute.withdrawn_cents - dispute.reinstated_cents).toBe(30_000);
  expect(dispute.movements).toHaveLength(moved);
  expect(await due(charge)).toEqual([10_000, 10_000, 10_000]);
});

test('ten concurrent answers with only the held amount make one movement, and an inquiry that has ended makes none', async () => {
  const charge = await charged();
  await Promise.all(Array.from({ length: 10 }, (_, second) => report(charge, second + 1, holding(1))));
  expect(await list(charge)).toMatchObject([
    { status: 'open', movements: [{ kind: 'withdrawn', amount_cents: 30_000 }] },
  ]);
  const other = await charged();
  await report(other, 1, holding(0));
  await report(other, 2, holding(2));
  expect(await list(other)).toMatchObject([{ status: 'won', movements: [] }]);
  expect(await due(other)).toEqual([0, 0, 0]);
});

test('ten concurrent answers make one dispute in which each movement counts once', async () => {
  const charge = await charged();
  await Promise.all(Array.from({ length: 10 }, (_, n) => report(charge, n % 3, after((n % 3) + 1))));
  expect(await list(charge)).toMatchObject([{ withdrawn_cents: 60_000, reinstated_cents: 30_000 }]);
  expect(await due(charge)).toEqual([10_000, 10_000, 10_000]);
});

test('a partial dispute of a charge for several invoices opens a case until an administrator allocates it', async () => {
  const charge = await charged();
  await report(charge, 1, after(1, 4_000));
  expect(await due(charge)).toEqual([0, 0, 0]);
  const [dispute] = await list(charge, '?status=open');
  expect(dispute).toMatchObject({ unallocated_cents: 4_000, money_case: expect.any(String) });
  const { world, invoices } = charge;
  const resolve = `/api/organizations/${world.organizationId}/money-cases/${dispute.money_case}/resolve/`;
  const allocations = [{ invoice: invoices[1], amount_cents: 4_000 }];
  const body = { resolution: 'allocated', allocations, note: 'The second member asked their bank.' };
  expect((await stage.as(world.admin).post(resolve, body)).status).toBe(200);
  expect(await due(charge)).toEqual([0, 4_000, 0]);
  await report(charge, 2, after(2, 4_000));
  expect(await due(charge)).toEqual([0, 0, 0]);
  expect(await list(charge)).toMatchObject([{ status: 'won', unallocated_cents: 0, money_case: null }]);
  // The entries say that the payer's bank took and reinstated the money; it was no refund.
  const { body: explained } = await stage.as(world.admin).get(`/api/invoices/${invoices[1]}/explain/`);
  expect(explained.entries.slice(-2)).toMatchObject([
    { effect_cents: 4_000, cause: { kind: 'dispute', gateway_object: 'dp_1' } },
    { effect_cents: -4_000, cause: { kind: 'dispute_reinstated', gateway_object: 'dp_1' } },
  ]);
});

test('two partial disputes that together cover the charge are divided among its invoices', async () => {
  const charge = await charged();
  await report(charge, 1, after(1, 10_000, 'dp_1'), after(1, 20_000, 'dp_2'));
  expect(await due(charge)).toEqual([10_000, 10_000, 10_000]);
  await report(charge, 2, after(2, 10_000, 'dp_1'), after(1, 20_000, 'dp_2'));
  expect((await due(charge)).reduce((sum, cents) => sum + cents, 0)).toBe(20_000);
});

test('administrators are notified once each of the opening, the evidence deadline and the decision', async () => {
  const charge = await charged();
  const { world } = charge;
  const notificationTypes = async () =>
    (
      await asOwner<{ type: string }>(
        `SELECT notification_type AS type FROM notifications WHERE organization_id = $1 AND recipient_id = $2
            AND notification_type LIKE 'dispute%' ORDER BY id`,
        [world.organizationId, world.admin.userId],
      )
    ).map(({ type }) => type);
  await report(charge, 1, after(1));
  await report(charge, 2, after(1));
  for (let runs = 0; runs < 2; runs++) await inTenant(world.organizationId, remindOfEvidence);
  await report(charge, 3, after(2));
  await report(charge, 4, after(2));
  expect(await notificationTypes()).toEqual(['dispute_opened', 'dispute_evidence_due', 'dispute_decided']);
});

test('a fee and its return are movements of the dispute and on no invoice', async () => {
  const charge = await charged();
  const [first] = after(1).movements;
  const fee = (amountCents: number, n: number) => ({
    kind: 'fee' as const,
    amountCents,
    movementId: `txn_dp_1_${n}`,
    at: new Date(1_700_000_000_000),
  });
  const dispute = after(2);
  dispute.movements.push(fee(1_500, 0), fee(-1_500, 1));
  expect(first?.movementId).toBe('txn_dp_1_0');
  await report(charge, 1, dispute);
  const [shown] = await list(charge);
  expect(shown).toMatchObject({ fee_cents: 0, status: 'won' });
  expect(shown.movements).toHaveLength(4);
  expect(await due(charge)).toEqual([0, 0, 0]);
});

test('only administrators read disputes, and only those of their organization', async () => {
  const charge = await charged();
  await report(charge, 1, after(1));
  const { world } = charge;
  const [{ id }] = await list(charge);
  expect((await stage.as(world.admin).get(path(world, `${id}/`))).body).toMatchObject({ id, status: 'open' });
  for (const address of [path(world), path(world, `${id}/`)]) {
    expect((await stage.nobody.get(address)).status).toBe(401);
    expect((await stage.as(world.officer).get(address)).status).toBe(403);
    expect((await stage.as(world.member).get(address)).status).toBe(403);
    expect((await stage.as(stage.other.admin).get(address)).status).toBe(404);
  }
  await expectNowhere(id, (one) => stage.as(stage.other.admin).get(path(stage.other, `${one}/`)));
  expect(await stage.as(world.admin).get(path(world, '?status=lost_again'))).toMatchObject({ status: 400 });
});

test('the list of disputes takes the same number of statements for one and for several', async () => {
  const charge = await charged();
  await report(charge, 1, after(1, 100, 'dp_1'));
  const few = await countStatements(() => list(charge));
  await report(charge, 2, ...['dp_2', 'dp_3', 'dp_4'].map((id) => after(2, 100, id)));
  expect(await list(charge)).toHaveLength(4);
  expect(await countStatements(() => list(charge))).toBe(few);
});
