/** Cases about one row, such as a flagged charge or a returned refund, which the system or an administrator closes. */
import { inTenant } from '../../../models/database/tenancy.js';
import { readInvariants } from '../../../models/finances/checkLedger.js';
import { addFee } from '../../../models/finances/adjustments/addFee.js';
import { CAPTURE_VERSION_SQL } from '../../../models/finances/captures/setRefundedTotal.js';
import { applyCredit } from '../../../models/finances/credit/applyCredit.js';
import { issueCredit } from '../../../models/finances/credit/issueCredit.js';
import { reverseApplied } from '../../../models/finances/credit/reverseCredit.js';
import { recordRefundSucceeded } from '../../../models/finances/captures/captureRefund.js';
import { refundCapture, type RefundsRead } from '../../../models/finances/captures/refundCapture.js';
import { reserveRefunds } from '../../../models/finances/refunds/reserveRefunds.js';
import { proposeRepair } from '../../../models/finances/remittances/repair/proposeRepair.js';
import { refundUnplaced } from '../../../models/finances/remittances/repair/refundUnplaced.js';
import { resolveAsProposed } from '../../../models/finances/remittances/repair/resolveAsProposed.js';
import { resolveRemittance } from '../../../models/finances/remittances/resolveRemittance.js';
import { endMemberAccounts } from '../../../models/finances/terminal-settlements/endMemberAccounts.js';
import { followSettlement } from '../../../models/finances/terminal-settlements/followSettlement.js';
import { apiWorld } from '../../support/apiWorld.js';
import { asOwner } from '../../support/owner.js';
import { anInvoice, aWorld, type World } from '../../support/world.js';
import { aProcessor, aRemittance } from '../../models/finances/ledger.support.js';
import { statuses } from '../organizations/statuses.support.js';

const stage = apiWorld();
const RULES = readInvariants().filter(({ examines }) =>
  /^(chapter_|payment_records|processor_captures|refunds|money_cases)/.test(examines),
);
afterEach(async () => {
  for (const { name, query } of RULES) expect({ name, rows: await asOwner(query) }).toEqual({ name, rows: [] });
});

interface Stage {
  world: World;
  processorId: string;
}
type Status = RefundsRead['marked'][number]['status'];

const aStage = async (): Promise<Stage> => {
  const world = await aWorld({ members: 3 });
  return { world, processorId: await aProcessor(world.organizationId) };
};
const path = ({ organizationId }: World, rest = '') => `/api/organizations/${organizationId}/money-cases/${rest}`;
const cases = async ({ world }: Stage, query = '') =>
  (await stage.as(world.admin).get(path(world, query))).body.results;
const resolve = ({ world }: Stage, id: string, body: object = { resolution: 'corrected', note: 'Paid out in cash.' }) =>
  stage.as(world.admin).post(path(world, `${id}/resolve/`), body);

/** Reports the charge's refunds as the provider knows them, ours by their ids. */
const reportRefunds = (
  { world, processorId }: Stage,
  intentId: string,
  refunds: [id: string, status: Status][],
  cents: number,
) =>
  inTenant(world.organizationId, async () => {
    const [now] = await asOwner<{ version: string }>(
      `SELECT ${CAPTURE_VERSION_SQL} AS version FROM processor_captures c WHERE c.intent_id = $1`,
      [intentId],
    );
    const marked = refunds.map(([refundId, status]) => ({
      refundId,
      status,
      gatewayRefundId: `re_${refundId}`,
      amountCents: cents,
      failureCode: null,
    }));
    const totalCents = marked.filter(({ status }) => status !== 'failed').length * cents;
    const read = { version: now?.version ?? null, refundedCents: totalCents, failed: [], marked };
    const outcome = await refundCapture(processorId, intentId, read);
    if (outcome.state === 'unknown') throw new Error('The charge is not on record.');
  });

/** The provider's answer when the charge is read now. */
async function readOf(
  intentId: string,
  refundedCents: number,
  marked: RefundsRead['marked'] = [],
): Promise<RefundsRead> {
  const [now] = await asOwner<{ version: string }>(
    `SELECT ${CAPTURE_VERSION_SQL} AS version FROM processor_captures c WHERE c.intent_id = $1`,
    [intentId],
  );
  return { version: now?.version ?? null, refundedCents, failed: [], marked };
}

/** The flagged amount of the stage's only remittance, in cents. */
const flaggedCents = async ({ world }: Stage) =>
  (
    await asOwner<{ cents: number }>(
      'SELECT reconciliation_amount_cents::int AS cents FROM chapter_remittances WHERE organization_id = $1',
      [world.organizationId],
    )
  )[0]?.cents;

/** Records that a refund ordered by an administrator succeeded. */
async function recordSucceeded(
  { world, processorId }: Stage,
  intentId: string,
  { id, cents }: { id: string; cents: number },
  read: RefundsRead,
): Promise<void> {
  const [capture] = await asOwner<{ id: string }>('SELECT id FROM processor_captures WHERE intent_id = $1', [intentId]);
  const captureId = capture?.id as string;
  const refund = { id, captureId, processorId, intentId, amountCents: cents, label: 'Cards' };
  await inTenant(world.organizationId, () => recordRefundSucceeded(refund, `re_${id}`, read));
}

/** A refund of ours that succeeded and was returned by the bank. */
async function aReturnedRefund(at: Stage) {
  const { intentId, invoices } = await aRemittance(at.world, at.processorId, 30_000);
  const [invoice] = invoices as [string];
  const back = () =>
    inTenant(
      at.world.organizationId,
      async () =>
        (
          await reserveRefunds(invoice, {
            amount_cents: 4_000,
            reason: 'Cancelled',
            reference: null,
            mayTellAmounts: true,
          })
        ).refunds[0] as string,
      { origin: { userId: at.world.admin.userId, requestId: null, ipAddress: null } },
    );
  const refund = await back();
  await reportRefunds(at, intentId, [[refund, 'refunded']], 4_000);
  expect(await cases(at)).toEqual([]);
  await reportRefunds(at, intentId, [[refund, 'failed']], 4_000);
  return { intentId, refund, back };
}

test('a flagged charge is a case until its remittance is resolved', async () => {
  const at = await aStage();
  const { remittanceId, intentId, invoices } = await aRemittance(at.world, at.processorId, 29_000);
  const [open] = await cases(at, '?status=open&kind=remittance_flagged');
  expect(open).toMatchObject({ gateway_object: intentId, remittance: remittanceId, amount_cents: 29_000 });
  expect(await resolve(at, open.id)).toMatchObject({ status: 409, body: { code: 'case_closes_itself' } });
  const { officer, organizationId } = at.world;
  const shares = invoices.map((invoice, n) => ({ invoice, amount_cents: n === 0 ? 9_000 : 10_000 }));
  await inTenant(organizationId, () => resolveRemittance(remittanceId, shares, 'As they told.', officer.userId));
  expect(await cases(at)).toMatchObject([{ status: 'closed', resolution: 'agreed', closed_by: null }]);
});

test('a refund at the provider reduces the case of a flagged charge and closes it when nothing is left', async () => {
  const at = await aStage();
  const { intentId } = await aRemittance(at.world, at.processorId, 29_000);
  const refundAtProvider = (cents: number) =>
    inTenant(at.world.organizationId, () => refundCapture(at.processorId, intentId, cents));
  await refundAtProvider(4_000);
  expect(await cases(at)).toMatchObject([{ status: 'open', amount_cents: 25_000 }]);
  await refundAtProvider(29_000);
  expect(await cases(at)).toMatchObject([{ status: 'closed', resolution: 'agreed' }]);
});

test('a report about a repeated refund of unallocated money also settles our pending refund of an invoice', async () => {
  const at = await aStage();
  const { organizationId, admin, officer } = at.world;
  const as = <Result>(work: () => Promise<Result>) =>
    inTenant(organizationId, work, { origin: { userId: admin.userId, requestId: null, ipAddress: null } });
  const { remittanceId, intentId, invoices } = await aRemittance(at.world, at.processorId, 34_000);
  const proposalHash = async () => (await as(() => proposeRepair(remittanceId))).proposal_hash;
  const refundRest = async () => {
    const hash = await proposalHash();
    return as(() => refundUnplaced(remittanceId, hash, 'Nobody can take it'));
  };
  await recordSucceeded(at, intentId, { id: await refundRest(), cents: 4_000 }, await readOf(intentId, 4_000));
  const hash = await proposalHash();
  await as(() => resolveAsProposed(remittanceId, hash, 'As proposed', officer.userId));
  const [invoice] = invoices as [string];
  const { refunds } = await as(() => reserveRefunds(invoice, { reason: 'Cancelled', amount_cents: 10_000 }));
  const own = (status: Status) => ({
    refundId: refunds[0] as string,
    status,
    gatewayRefundId: 're_own',
    amountCents: 10_000,
    failureCode: null,
  });
  // A bank returns the refunded rest while our other refund is pending, so the rest is flagged and refunded again.
  const bouncedBack = await readOf(intentId, 10_000, [own('pending')]);
  await as(() => refundCapture(at.processorId, intentId, bouncedBack));
  expect(await flaggedCents(at)).toBe(4_000);
  const again = { id: await refundRest(), cents: 4_000 };
  await recordSucceeded(at, intentId, again, await readOf(intentId, 14_000, [own('refunded')]));
  const [after] = await asOwner<{ due: number; refunded: number }>(
    `SELECT i.balance_due_cents::int AS due, p.refunded_cents::int AS refunded FROM chapter_invoices i
       JOIN payment_records p ON p.invoice_id = i.id WHERE i.id = $1`,
    [invoice],
  );
  expect(after).toEqual({ due: 10_000, refunded: 10_000 });
});

test('a returned refund of unallocated money is flagged in full, also after other refunds of the charge', async () => {
  const at = await aStage();
  const { organizationId, admin, officer } = at.world;
  const as = <Result>(work: () => Promise<Result>) =>
    inTenant(organizationId, work, { origin: { userId: admin.userId, requestId: null, ipAddress: null } });
  const { remittanceId, intentId, invoices } = await aRemittance(at.world, at.processorId, 34_000);
  const proposed = async () => (await as(() => proposeRepair(remittanceId))).proposal_hash;
  const hash = await proposed();
  const id = await as(() => refundUnplaced(remittanceId, hash, 'Nobody can take it'));
  await recordSucceeded(at, intentId, { id, cents: 4_000 }, await readOf(intentId, 4_000));
  const rest = await proposed();
  await as(() => resolveAsProposed(remittanceId, rest, 'As proposed', officer.userId));
  const { refunds } = await as(() => reserveRefunds(invoices[0] as string, { reason: 'Cancelled' }));
  const [refundId] = refunds as [string];
  const own = {
    refundId,
    status: 'refunded',
    gatewayRefundId: 're_own',
    amountCents: 10_000,
    failureCode: null,
  } as const;
  const both = await readOf(intentId, 14_000, [own]);
  await as(() => refundCapture(at.processorId, intentId, both));
  const failed = [{ gatewayRefundId: `re_${id}`, failureCode: 'expired_or_canceled_card' }];
  const back = { ...(await readOf(intentId, 10_000, [own])), failed };
  await as(() => refundCapture(at.processorId, intentId, back));
  expect(await flaggedCents(at)).toBe(4_000);
});

test('a flagged charge that is refunded in full at the provider is resolved once our own pending refund is settled', async () => {
  const at = await aStage();
  const { organizationId, admin } = at.world;
  const as = <Result>(work: () => Promise<Result>) =>
    inTenant(organizationId, work, { origin: { userId: admin.userId, requestId: null, ipAddress: null } });
  const { remittanceId, intentId, invoices } = await aRemittance(at.world, at.processorId, 34_000);
  await as(() => addFee(invoices[0] as string, 500, 'Late'));
  const hash = (await as(() => proposeRepair(remittanceId))).proposal_hash;
  const id = await as(() => refundUnplaced(remittanceId, hash, 'Nobody can take it'));
  await as(() => refundCapture(at.processorId, intentId, 32_000));
  expect(await as(() => proposeRepair(remittanceId))).toMatchObject({ waiting_cents: 0, changes: [] });
  await as(() => refundCapture(at.processorId, intentId, 34_000));
  const flagged = async () =>
    asOwner(
      `SELECT reconciliation_amount_cents::int AS cents, resolved_at IS NOT NULL AS resolved FROM chapter_remittances WHERE id = $1`,
      [remittanceId],
    );
  expect(await flagged()).toEqual([{ cents: 0, resolved: false }]);
  await recordSucceeded(at, intentId, { id, cents: 3_500 }, await readOf(intentId, 34_000));
  expect(await flagged()).toEqual([{ cents: 0, resolved: true }]);
});

test('a returned refund opens a case that closes when the same amount is refunded again', async () => {
  const at = await aStage();
  const { intentId, refund, back } = await aReturnedRefund(at);
  expect(await cases(at)).toMatchObject([{ kind: 'refund_bounced', status: 'open', refund, amount_cents: 4_000 }]);
  const again = await back();
  await reportRefunds(
    at,
    intentId,
    [
      [refund, 'failed'],
      [again, 'refunded'],
    ],
    4_000,
  );
  expect(await cases(at)).toMatchObject([{ status: 'closed', resolution: 'agreed' }]);
});

test('of ten concurrent requests one closes the case of a returned refund', async () => {
  const at = await aStage();
  await aReturnedRefund(at);
  const [{ id }] = await cases(at);
  const answers = await Promise.all(Array.from({ length: 10 }, () => resolve(at, id)));
  expect(statuses(answers)).toEqual([200, ...Array.from({ length: 9 }, () => 409)]);
  expect(await cases(at)).toMatchObject([
    { status: 'closed', resolution: 'corrected', closed_by: at.world.admin.userId, note: 'Paid out in cash.' },
  ]);
});

test('the case of a returned refund takes no allocations', async () => {
  const at = await aStage();
  await aReturnedRefund(at);
  const [{ id }] = await cases(at);
  const allocations = [{ invoice: id, amount_cents: 4_000 }];
  const fields = async (body: object) => Object.keys((await resolve(at, id, body)).body.errors);
  expect(await fields({ resolution: 'allocated', allocations, note: 'x' })).toEqual(['resolution']);
  expect(await fields({ resolution: 'corrected', allocations, note: 'x' })).toEqual(['allocations']);
  expect(await fields({ resolution: 'allocated', note: 'x' })).toEqual(['allocations']);
  expect(await fields({ resolution: 'agreed', note: 'x' })).toEqual(['resolution']);
  expect(await cases(at)).toMatchObject([{ status: 'open' }]);
});

test('credit to be refunded manually is one case that follows its amount and closes when the credit is spent', async () => {
  const at = await aStage();
  const { organizationId, chapterId, member } = at.world;
  const payer = { chapterId, membershipId: member.membershipId };
  const within = <Result>(work: () => Promise<Result>) => inTenant(organizationId, work);
  const setStatus = (status: string) =>
    asOwner('UPDATE memberships SET status = $2 WHERE id = $1', [member.membershipId, status]);
  const leave = async () => {
    await setStatus('disaffiliated');
    await within(() => endMemberAccounts([member.membershipId]));
    const [settlement] = await asOwner<{ id: string }>(
      `UPDATE terminal_settlements SET refunds_at = now() WHERE membership_id = $1 AND status = 'waiting' RETURNING id`,
      [member.membershipId],
    );
    expect(await within(() => followSettlement(settlement?.id as string))).toEqual({ over: 'kept' });
  };
  await within(() => issueCredit({ payer, amountCents: 5_000, reason: 'A gift' }));
  await leave();
  const listManualCases = async () =>
    (await cases(at, '?kind=manual_refund_due')).map(({ status, amount_cents }: Record<string, unknown>) => [
      status,
      amount_cents,
    ]);
  expect(await listManualCases()).toEqual([['open', 5_000]]);
  const due = await anInvoice(at.world, { ...payer, cents: 2_000 });
  await within(() => applyCredit(due));
  expect(await listManualCases()).toEqual([['open', 3_000]]);
  await within(() => reverseApplied(due, 'Paid in cash'));
  expect(await listManualCases()).toEqual([['open', 5_000]]);
  await setStatus('undergrad');
  await leave();
  expect(await listManualCases()).toEqual([['open', 3_000]]);
  const rest = await anInvoice(at.world, { ...payer, cents: 3_000 });
  await within(() => applyCredit(rest));
  expect(await listManualCases()).toEqual([['closed', 3_000]]);
});
