/** Refunds of a charge for several invoices that name no invoice: a case until an administrator or the provider decides it. */
import { inTenant } from '../../../models/database/tenancy.js';
import { readInvariants } from '../../../models/finances/checkLedger.js';
import { refundCapture, type RefundsRead } from '../../../models/finances/captures/refundCapture.js';
import { apiWorld, expectNowhere } from '../../support/apiWorld.js';
import { asOwner } from '../../support/owner.js';
import { countStatements } from '../../support/statements.js';
import { aWorld, type World } from '../../support/world.js';
import { type Charged, charged } from '../../models/finances/ledger.support.js';
import { statuses } from '../organizations/statuses.support.js';

const stage = apiWorld();
const RULES = readInvariants().filter(({ examines }) =>
  /^(chapter_|payment_records|processor_captures|refunds|money_cases)/.test(examines),
);
afterEach(async () => {
  for (const { name, query } of RULES) expect({ name, rows: await asOwner(query) }).toEqual({ name, rows: [] });
});

/** Reports the total refunded of the charge. @param isRead whether we read it from the provider; then it may be less */
async function refund({ world, processorId, intentId }: Charged, refundedCents: number, isRead = false): Promise<void> {
  await inTenant(world.organizationId, async () => {
    const version = (
      await asOwner<{ v: string }>('SELECT xmin::text AS v FROM processor_captures WHERE intent_id = $1', [intentId])
    )[0]?.v;
    const read: RefundsRead = { version: version ?? null, refundedCents, failed: [], marked: [] };
    const outcome = await refundCapture(processorId, intentId, isRead ? read : refundedCents);
    if (outcome.state === 'unknown') throw new Error('The charge is not on record.');
  });
}

const path = ({ organizationId }: World, rest = '') => `/api/organizations/${organizationId}/money-cases/${rest}`;
const cases = async ({ world }: Charged, query = '') =>
  (await stage.as(world.admin).get(path(world, query))).body.results;
const resolve = ({ world }: Charged, id: string, allocations: object[], note = 'The member asked their bank.') =>
  stage.as(world.admin).post(path(world, `${id}/resolve/`), { resolution: 'allocated', allocations, note });
const due = async ({ world, invoices }: Charged): Promise<number[]> => {
  const found = await asOwner<{ id: string; cents: number }>(
    'SELECT id, balance_due_cents::int AS cents FROM chapter_invoices WHERE organization_id = $1',
    [world.organizationId],
  );
  return invoices.map((id) => found.find((one) => one.id === id)?.cents ?? -1);
};

test('a partial refund of a charge for several invoices makes no payer owe before an administrator allocates it', async () => {
  const charge = await charged();
  await refund(charge, 4_000);
  expect(await due(charge)).toEqual([0, 0, 0]);
  const [open] = await cases(charge, '?status=open&kind=refund_unknown');
  expect(open).toMatchObject({
    kind: 'refund_unknown',
    amount_cents: 4_000,
    gateway_object: charge.intentId,
    closed_at: null,
  });
  const { world, invoices } = charge;
  const shown = (await stage.as(world.admin).get(path(world, `${open.id}/`))).body;
  const rest = shown.shares.map((share: { invoice: string; left_cents: number }) => [share.invoice, share.left_cents]);
  expect(Object.fromEntries(rest)).toEqual(Object.fromEntries(invoices.map((id) => [id, 10_000])));
  const shares = [
    { invoice: invoices[1], amount_cents: 2_500 },
    { invoice: invoices[2], amount_cents: 1_500 },
  ];
  const resolved = await resolve(charge, open.id, shares);
  expect(resolved).toMatchObject({
    status: 200,
    body: { status: 'closed', resolution: 'allocated', closed_by: world.admin.userId },
  });
  expect(await due(charge)).toEqual([0, 2_500, 1_500]);
  const explained = (await stage.as(world.admin).get(`/api/invoices/${invoices[1]}/explain/`)).body;
  expect(explained.entries.at(-1)).toMatchObject({ amount_cents: 2_500, running_balance_cents: 2_500 });
});

test('repeated and late reports keep one case, and a report of more raises its amount', async () => {
  const charge = await charged();
  for (const cents of [4_000, 4_000, 1_000, 6_500]) await refund(charge, cents);
  expect(await cases(charge)).toMatchObject([{ status: 'open', amount_cents: 6_500 }]);
  expect(await due(charge)).toEqual([0, 0, 0]);
});

test('a full refund of the charge makes all payers owe again and closes the case', async () => {
  const charge = await charged();
  await refund(charge, 4_000);
  await refund(charge, 30_000);
  expect(await due(charge)).toEqual([10_000, 10_000, 10_000]);
  expect(await cases(charge)).toMatchObject([{ status: 'closed', resolution: 'agreed', closed_by: null, note: null }]);
});

test('a refund that did not arrive closes its case, and an earlier allocation stays while it is true', async () => {
  const charge = await charged();
  await refund(charge, 4_000);
  const [first] = await cases(charge);
  await resolve(charge, first.id, [{ invoice: charge.invoices[2], amount_cents: 4_000 }]);
  await refund(charge, 7_000);
  await refund(charge, 4_000, true);
  expect(await due(charge)).toEqual([0, 0, 4_000]);
  expect((await cases(charge)).map(({ resolution }: { resolution: string }) => resolution)).toEqual([
    'agreed',
    'allocated',
  ]);
  await refund(charge, 0, true);
  expect(await due(charge)).toEqual([0, 0, 0]);
});

test('ten concurrent decisions of a case are one decision', async () => {
  const charge = await charged();
  await refund(charge, 4_000);
  const [{ id }] = await cases(charge);
  const answers = await Promise.all(
    Array.from({ length: 10 }, () => resolve(charge, id, [{ invoice: charge.invoices[0], amount_cents: 4_000 }])),
  );
  expect(statuses(answers)).toEqual([200, ...Array.from({ length: 9 }, () => 409)]);
  expect(await due(charge)).toEqual([4_000, 0, 0]);
});

test('allocations with a wrong total, a foreign invoice, a repetition or too much are refused and change nothing', async () => {
  const charge = await charged();
  const other = await charged();
  await refund(charge, 12_000);
  const [{ id }] = await cases(charge);
  const [one, two] = charge.invoices;
  const refused = async (allocations: object[]) => {
    const { status, body } = await resolve(charge, id, allocations);
    return [status, Object.keys(body.errors)];
  };
  expect(await refused([{ invoice: one, amount_cents: 4_000 }])).toEqual([400, ['allocations']]);
  expect(await refused([{ invoice: other.invoices[0], amount_cents: 12_000 }])).toEqual([
    400,
    ['allocations.0.invoice'],
  ]);
  expect(await refused([{ invoice: one, amount_cents: 12_000 }])).toEqual([400, ['allocations.0.amount_cents']]);
  expect(
    await refused([
      { invoice: one, amount_cents: 6_000 },
      { invoice: one, amount_cents: 6_000 },
    ]),
  ).toEqual([400, ['allocations.1.invoice']]);
  expect(await refused([{ invoice: one, amount_cents: 0 }])).toEqual([400, ['allocations.0.amount_cents']]);
  expect(await refused([])).toEqual([400, ['allocations']]);
  expect(await due(charge)).toEqual([0, 0, 0]);
  expect(
    await resolve(charge, id, [
      { invoice: one, amount_cents: 10_000 },
      { invoice: two, amount_cents: 2_000 },
    ]),
  ).toMatchObject({ status: 200 });
});

test('cases are read and resolved only by administrators of their organization', async () => {
  const charge = await charged();
  await refund(charge, 4_000);
  const [{ id }] = await cases(charge);
  const { world } = charge;
  expect((await stage.nobody.get(path(world))).status).toBe(401);
  for (const who of [world.officer, world.member]) {
    expect((await stage.as(who).get(path(world))).status).toBe(403);
    expect(
      (
        await stage.as(who).post(path(world, `${id}/resolve/`), {
          resolution: 'allocated',
          allocations: [{ invoice: id, amount_cents: 1 }],
          note: 'x',
        })
      ).status,
    ).toBe(403);
  }
  const stranger = await aWorld();
  await expectNowhere(id, (one) => stage.as(stranger.admin).get(path(stranger, `${one}/`)));
  const answer = await stage.as(stranger.admin).post(path(stranger, `${id}/resolve/`), {
    resolution: 'allocated',
    allocations: [{ invoice: charge.invoices[0], amount_cents: 4_000 }],
    note: 'Not mine.',
  });
  expect(answer.status).toBe(404);
});

test('administrators are notified of a case once until it is resolved, and the list takes a fixed number of statements', async () => {
  const charge = await charged();
  await refund(charge, 4_000);
  await refund(charge, 5_000);
  const { world } = charge;
  const readNotices = () =>
    asOwner(
      'SELECT resolved_at IS NOT NULL AS resolved FROM notifications WHERE organization_id = $1 AND notification_type = $2 AND recipient_id = $3',
      [world.organizationId, 'money_case_opened', world.admin.userId],
    );
  expect(await readNotices()).toEqual([{ resolved: false }]);
  const few = await countStatements(() => cases(charge));
  const [{ id }] = await cases(charge);
  await resolve(charge, id, [{ invoice: charge.invoices[0], amount_cents: 5_000 }]);
  expect(await readNotices()).toEqual([{ resolved: true }]);
  for (const cents of [6_000, 7_000]) {
    await refund(charge, cents);
    const [open] = await cases(charge, '?status=open');
    await resolve(charge, open.id, [{ invoice: charge.invoices[1], amount_cents: 1_000 }]);
  }
  expect(await countStatements(() => cases(charge))).toBe(few);
});
