/** Carries out the steps of an account walk by the operations themselves: two members, who move between chapters, and their chapter, in a new organization. */
import '../../../models/areas.js';
import { translateDatabaseError } from '../../../models/database/constraints.js';
import { firstRow, oneRow, rows } from '../../../models/database/rows.js';
import { inTenant } from '../../../models/database/tenancy.js';
import { uuidv7 } from '../../../models/database/uuid.js';
import { Refusal } from '../../../models/errors.js';
import { rememberIntent } from '../../../models/finances/attempts/attempt.js';
import { recordInvoiceCharge } from '../../../models/finances/captures/recordInvoiceCharge.js';
import { CAPTURE_VERSION_SQL } from '../../../models/finances/captures/bringTo.js';
import { refundCapture, type RefundsRead } from '../../../models/finances/captures/refundCapture.js';
import { applyCredit } from '../../../models/finances/credit/applyCredit.js';
import { issueCredit } from '../../../models/finances/credit/issueCredit.js';
import {
  cancelPlan,
  reconcileInstallment,
  unreconcileInstallment,
} from '../../../models/finances/payment-plans/changePlan.js';
import { reviewPlan } from '../../../models/finances/payment-plans/decideOnPlan.js';
import { requestPlan } from '../../../models/finances/payment-plans/requestPlan.js';
import { moveCredit } from '../../../models/finances/credit/moveCredit.js';
import type { Payer } from '../../../models/finances/credit/payer.js';
import { refundCredit } from '../../../models/finances/credit/refundCredit.js';
import { reverseCredit } from '../../../models/finances/credit/reverseCredit.js';
import { recordDisputes, type ToldDispute } from '../../../models/finances/disputes/recordDisputes.js';
import { holdRefundable } from '../../../models/finances/refunds/refundable.js';
import { centsOf, reserveRefunds } from '../../../models/finances/refunds/reserveRefunds.js';
import { failRefund, type MarkedRefund } from '../../../models/finances/refunds/settleRefunds.js';
import { beginPayment } from '../../../models/finances/remittances/beginPayment.js';
import { leastChargeCents } from '../../../models/finances/payment-processors/providers.js';
import { createRemittance } from '../../../models/finances/remittances/createRemittance.js';
import { settleRemittance } from '../../../models/finances/remittances/settleRemittance.js';
import { settleMemberDebts } from '../../../models/finances/settleMemberDebts.js';
import { regenerateInvoice } from '../../../models/finances/regeneration/regenerateInvoice.js';
import { addFee } from '../../../models/finances/adjustments/addFee.js';
import { payByHand } from '../../../models/finances/adjustments/payByHand.js';
import { flagStrayCapture } from '../../../models/finances/captures/flagStrayCapture.js';
import { type EndingRefund, noteGivenBack, noteNotGivenBack } from '../../../models/finances/captures/givingBack.js';
import { keepAsCredit, refundUnmatched } from '../../../models/finances/captures/resolveUnmatched.js';
import { decideCase, sharesOfCase } from '../../../models/finances/cases/resolveCase.js';
import { callRefundOff } from '../../../models/finances/refunds/sendRefund.js';
import { proposeRepair } from '../../../models/finances/remittances/repair/proposeRepair.js';
import { refundUnplaced } from '../../../models/finances/remittances/repair/refundUnplaced.js';
import { resolveAsProposed } from '../../../models/finances/remittances/repair/resolveAsProposed.js';
import { endMemberAccounts } from '../../../models/finances/terminal-settlements/endMemberAccounts.js';
import { followSettlement } from '../../../models/finances/terminal-settlements/followSettlement.js';
import { voidInvoice } from '../../../models/finances/voidInvoice.js';
import { eraseInOrganization } from '../../../models/identity/deletion/eraseInOrganization.js';
import { aProcessor } from '../../models/finances/ledger.support.js';
import { asOwner } from '../owner.js';
import { anInvoice, aWorld, type Person, type World } from '../world.js';
import type { AccountStep } from './accountSteps.js';

interface Charge {
  intent: string;
  cents: number;
  /** By others than us. */
  refunded: number;
  /** What an administrator had us give back of it, that nobody was credited with. */
  given: { gatewayRefundId: string; cents: number; failed: boolean }[];
  /** What we asked for. */
  own: { id: string; cents: number; status: MarkedRefund['status'] | null }[];
  /** The provider was asked about it before. */
  read: boolean;
  disputes: ToldDispute[];
}

const aCharge = (intent: string, cents: number): Charge => ({
  intent,
  cents,
  refunded: 0,
  given: [],
  own: [],
  read: false,
  disputes: [],
});

/** What of a charge has gone back, or is on its way, by the provider's word. */
const standing = ({ refunded, given, own }: Pick<Charge, 'refunded' | 'given' | 'own'>): number =>
  [
    ...given.filter(({ failed }) => !failed),
    ...own.filter(({ status }) => status === 'refunded' || status === 'pending'),
  ].reduce((sum, { cents }) => sum + cents, refunded);

/** What the provider says when it is asked. */
const readOf = (charge: Charge, version: string): RefundsRead => ({
  version,
  refundedCents: standing(charge),
  failed: charge.given.flatMap(({ gatewayRefundId, failed }) =>
    failed ? [{ gatewayRefundId, failureCode: 'expired_or_canceled_card' }] : [],
  ),
  marked: charge.own.flatMap(({ id, cents, status }) =>
    status ? [{ refundId: id, status, gatewayRefundId: `re_${id}`, amountCents: cents, failureCode: null }] : [],
  ),
});

/** What banks hold of it. */
const heldOf = ({ disputes }: Charge): number =>
  disputes
    .flatMap(({ movements }) => movements)
    .reduce((sum, { kind, amountCents }) => sum + (kind === 'withdrawn' ? amountCents : -amountCents), 0);

/** What can still leave it. */
const leftOf = (charge: Charge): number => charge.cents - standing(charge) - heldOf(charge);

export class AccountWalker {
  private readonly invoices: string[] = [];
  private readonly charges: Charge[] = [];
  /** Where each member is, and was before. */
  private readonly places = new Map<number, { now: Payer; before: Payer }>();

  private constructor(
    private readonly world: World,
    private readonly processorId: string,
  ) {}

  get organizationId(): string {
    return this.world.organizationId;
  }

  static async begin(): Promise<AccountWalker> {
    const world = await aWorld({ members: 1 });
    await asOwner('UPDATE org_dues_settings SET payment_plans_enabled = true WHERE organization_id = $1', [
      world.organizationId,
    ]);
    return new AccountWalker(world, await aProcessor(world.organizationId));
  }

  /** What is void stays so, and not every entry can be undone: refusals that are part of the story. @throws Error for others */
  async take(step: AccountStep): Promise<void> {
    try {
      const origin = { userId: this.world.officer.userId, requestId: null, ipAddress: null };
      await inTenant(this.organizationId, () => this.carryOut(step), { origin });
    } catch (error) {
      const refusal = error instanceof Refusal ? error : translateDatabaseError(error);
      const mayBeRefused =
        ['reverse', 'send credit back', 'leave', 'issue anew', 'plan'].includes(step.do) ||
        refusal?.code === 'invoice_void';
      if (!refusal || !mayBeRefused) throw error;
    }
  }

  private async carryOut(step: AccountStep): Promise<unknown> {
    switch (step.do) {
      case 'bill':
        return this.bill(this.payer(step.payer), step.cents);
      case 'bill dues':
        return this.billDues(this.payer(step.payer), step.cents);
      case 'issue anew':
        return this.issueAnew(step.pick, step.cents);
      case 'pay':
        return this.pay(this.invoice(step.pick), step.cents);
      case 'pay too much':
        return this.pay(this.invoice(step.pick), step.cents, 'beyond what is due');
      case 'remit':
        return this.remit(step.pick, step.many);
      case 'refund':
        return this.refund(this.charge(step.pick), step.percent);
      case 'refund again':
        return this.refund(this.charge(step.pick), 0);
      case 'refund fails':
        return this.refundFails(this.charge(step.pick), step.percent);
      case 'give back':
        return this.giveBack(this.invoice(step.pick), step.percent, step.waive);
      case 'send credit back':
        return this.sendBack(this.payer(step.payer), step.percent);
      case 'hear of it':
        return this.hearOfIt(step.pick, step.status);
      case 'discount':
        return this.discount(this.invoice(step.pick), step.cents);
      case 'withdraw discount':
        return this.withdrawDiscount(step.pick);
      case 'spend':
        return this.spend(step.pick, step.cents);
      case 'settle':
        return this.settle(this.payer(step.payer));
      case 'give':
        return issueCredit({ payer: this.payer(step.payer), amountCents: step.cents, reason: 'A gift' });
      case 'reverse':
        return this.reverse(step.pick);
      case 'pay out':
        return this.payOut(this.payer(step.payer), step.percent);
      case 'dispute':
        return this.dispute(this.charge(step.pick), step.percent);
      case 'bank decides':
        return this.bankDecides(step.pick, step.percent);
      case 'move':
        return this.move(step.payer);
      case 'allocate':
        return this.allocate(step.pick);
      case 'close case':
        return this.closeCase(step.pick);
      case 'pay by hand':
        return this.payHand(this.invoice(step.pick), step.cents);
      case 'fee':
        return this.fee(this.invoice(step.pick), step.cents);
      case 'call off':
        return this.callOff(step.pick);
      case 'stray':
        return this.stray(step.cents);
      case 'keep stray':
        return this.keepStray(step.pick, this.payer(step.payer));
      case 'give stray back':
        return this.giveStrayBack(step.pick);
      case 'it goes back':
        return this.itGoesBack(step.pick, step.arrives);
      case 'it comes back':
        return this.itComesBack(step.pick);
      case 'remit in trouble':
        return this.remit(step.pick, step.many, step);
      case 'place':
        return this.place(step.pick);
      case 'end membership':
        return this.endMembership(this.payer(step.payer));
      case 'follow settlement':
        return this.followSettlement(step.pick);
      case 'come back':
        return this.setStatus(this.payer(step.payer), 'undergrad');
      case 'plan':
        return this.plan(step.pick, step.count);
      case 'tick':
        return this.tick(step.pick, step.off);
      case 'cancel plan':
        return this.cancelPlan(step.pick);
      case 'void':
        return this.void(this.invoice(step.pick));
      default:
        return this.leave(this.members[step.payer]?.userId as string);
    }
  }

  private payer(n: number): Payer {
    return (
      this.places.get(n)?.now ?? {
        chapterId: this.world.chapterId,
        membershipId: this.members[n]?.membershipId ?? null,
      }
    );
  }

  private get members(): Person[] {
    return [this.world.member, this.world.officer];
  }

  /** They go to another chapter, or back: their credit goes along. */
  private async move(n: number): Promise<void> {
    const now = this.payer(n);
    const to = this.places.get(n)?.before ?? (await this.placeElsewhere(now));
    await moveCredit(now.membershipId as string, to.membershipId as string);
    this.places.set(n, { now: to, before: now });
  }

  private async placeElsewhere({ membershipId }: Payer): Promise<Payer> {
    const { id } = await oneRow<{ id: string }>(
      `INSERT INTO memberships (organization_id, user_id, chapter_id, role, status)
       SELECT organization_id, user_id, $2, 'member', status FROM memberships WHERE id = $1 RETURNING id`,
      [membershipId, this.world.otherChapterId],
    );
    return { chapterId: this.world.otherChapterId, membershipId: id };
  }

  /** Of the newest ones: those are where things happen. */
  private invoice(pick: number): string | undefined {
    return this.invoices.at(-1 - (pick % Math.max(1, Math.min(8, this.invoices.length))));
  }

  private charge(pick: number): Charge | undefined {
    return this.charges.at(-1 - (pick % Math.max(1, Math.min(12, this.charges.length))));
  }

  private async bill(payer: Payer, cents: number): Promise<void> {
    this.invoices.push(await anInvoice(this.world, { ...payer, cents }));
  }

  /** One of a payer and term stands at a time. */
  private async billDues(payer: Payer, cents: number): Promise<void> {
    const id = await anInvoice(this.world, { ...payer, cents });
    this.invoices.push(id);
    await asOwner(
      `UPDATE chapter_invoices i SET is_recurring = true WHERE id = $1 AND NOT EXISTS (SELECT FROM chapter_invoices o
        WHERE o.chapter_id = i.chapter_id AND o.membership_id IS NOT DISTINCT FROM i.membership_id AND o.is_recurring AND o.status <> 'void')`,
      [id],
    );
  }

  /** Dues of any payer, by a rate of today. */
  private async issueAnew(pick: number, cents: number): Promise<void> {
    const dues = await rows<{ id: string; payer_type: string }>(
      `SELECT id, payer_type FROM chapter_invoices WHERE organization_id = $1 AND is_recurring AND status <> 'void' ORDER BY id`,
      [this.organizationId],
    );
    const chosen = dues[pick % Math.max(1, dues.length)];
    if (!chosen) return;
    await rows(
      `INSERT INTO dues_rates (organization_id, term_id, status, amount_cents) VALUES ($1, $2, 'undergrad', $3)
       ON CONFLICT ON CONSTRAINT dues_rates_term_status_unique DO UPDATE SET amount_cents = excluded.amount_cents`,
      [this.organizationId, this.world.termId, cents],
    );
    await rows(
      `INSERT INTO org_dues_settings (organization_id, billing_mode) VALUES ($1, $2)
       ON CONFLICT (organization_id) DO UPDATE SET billing_mode = excluded.billing_mode`,
      [this.organizationId, `bill_${chosen.payer_type}`],
    );
    this.invoices.push((await regenerateInvoice(chosen.id)).replacementId);
  }

  private async pay(invoiceId: string | undefined, cents: number, beyond?: 'beyond what is due'): Promise<void> {
    if (!invoiceId) return;
    const { due } = await oneRow<{ due: number }>(
      'SELECT balance_due_cents AS due FROM chapter_invoices WHERE id = $1',
      [invoiceId],
    );
    const amountCents = beyond ? due + cents : cents;
    const intentId = `pi_${uuidv7()}`;
    const { processorId } = this;
    await recordInvoiceCharge({ processorId, intentId, invoiceId, amountCents, currency: 'usd', attemptId: null });
    this.charges.push(aCharge(intentId, amountCents));
  }

  private async remit(
    pick: number,
    many: number,
    { trouble, cents }: { trouble?: 'stale' | 'less' | 'more' | 'twice'; cents: number } = { cents: 0 },
  ): Promise<void> {
    const open = await rows<{ id: string; due: number }>(
      `SELECT id, balance_due_cents AS due FROM chapter_invoices
        WHERE id = ANY($1) AND chapter_id = $2 AND payer_type = 'member' AND balance_due_cents > 0 ORDER BY id`,
      [this.invoices, this.world.chapterId],
    );
    const chosen = open.slice(pick % Math.max(1, open.length)).slice(0, many);
    const amountCents = chosen.reduce((sum, { due }) => sum + due, 0);
    if (amountCents < leastChargeCents('stripe')) return;
    const { userId } = this.world.officer;
    const allocations = chosen.map(({ id, due }) => ({ invoice: id, amount_cents: due }));
    const remittanceId = await createRemittance(this.world.chapterId, allocations, userId);
    const { attemptId } = await beginPayment(remittanceId, 'pm_card_visa', userId);
    const intentId = `pi_${uuidv7()}`;
    await rememberIntent(attemptId, intentId);
    if (trouble === 'stale') await voidInvoice(chosen[0]?.id as string, 'Meanwhile');
    const taken =
      amountCents + (trouble === 'less' ? 1 - Math.min(cents, amountCents) : trouble === 'more' ? cents : 0);
    await this.settleCharge(remittanceId, intentId, taken);
    if (trouble === 'twice') await this.settleCharge(remittanceId, `pi_${uuidv7()}`, amountCents);
  }

  private async settleCharge(remittanceId: string, intentId: string, amountCents: number): Promise<void> {
    await settleRemittance({ remittanceId, processorId: this.processorId, intentId, amountCents });
    this.charges.push(aCharge(intentId, amountCents));
  }

  /** Money that waits with a remittance goes where it is proposed to; what nobody can take goes back. */
  private async place(pick: number): Promise<void> {
    const waiting = await rows<{ id: string }>(
      `SELECT r.id FROM chapter_remittances r WHERE r.organization_id = $1 AND r.reconciliation_flagged_at IS NOT NULL
          AND (r.resolved_at IS NULL OR r.resolved_at < r.reconciliation_flagged_at) ORDER BY r.id`,
      [this.organizationId],
    );
    const id = waiting[pick % Math.max(1, waiting.length)]?.id;
    if (!id) return;
    const { unplaced_cents, refunding_cents, proposal_hash } = await proposeRepair(id);
    if (refunding_cents > 0) return;
    if (unplaced_cents > 0) await refundUnplaced(id, proposal_hash, 'Nobody can take it');
    else await resolveAsProposed(id, proposal_hash, 'As proposed', this.world.officer.userId);
  }

  /** Money that is for nothing here. */
  private async stray(amountCents: number): Promise<void> {
    const intentId = `pi_${uuidv7()}`;
    await flagStrayCapture({ processorId: this.processorId, intentId, amountCents, currency: 'usd' });
    this.charges.push(aCharge(intentId, amountCents));
  }

  private async pickStray(pick: number): Promise<string | undefined> {
    const strays = await rows<{ id: string }>(
      `SELECT c.id FROM processor_captures c WHERE c.organization_id = $1 AND c.disposition = 'flagged' AND c.remittance_id IS NULL
          AND NOT EXISTS (SELECT FROM capture_resolutions r WHERE r.capture_id = c.id AND r.status = 'pending') ORDER BY c.id DESC`,
      [this.organizationId],
    );
    return strays[pick % Math.max(1, strays.length)]?.id;
  }

  private async keepStray(pick: number, payer: Payer): Promise<void> {
    const id = await this.pickStray(pick);
    if (id) await keepAsCredit(id, payer, 'Theirs');
  }

  private async giveStrayBack(pick: number): Promise<void> {
    const id = await this.pickStray(pick);
    if (id) await refundUnmatched(id, 'Nobody’s');
  }

  /** What an administrator wanted given back goes back, or does not. */
  private async itGoesBack(pick: number, arrives: boolean): Promise<void> {
    const pending = await rows<EndingRefund & { version: string }>(
      `SELECT r.id, r.capture_id AS "captureId", c.processor_id AS "processorId", c.intent_id AS "intentId",
              r.amount_cents AS "amountCents", 'Cards' AS label, ${CAPTURE_VERSION_SQL} AS version
         FROM capture_resolutions r JOIN processor_captures c ON c.id = r.capture_id
        WHERE r.organization_id = $1 AND r.status = 'pending' ORDER BY r.id`,
      [this.organizationId],
    );
    const giving = pending[pick % Math.max(1, pending.length)];
    if (!giving) return;
    const charge = this.charges.find(({ intent }) => intent === giving.intentId) as Charge;
    charge.read = true;
    const gatewayRefundId = `re_${giving.id}`;
    const goes = arrives && giving.amountCents <= leftOf(charge);
    if (goes) charge.given.push({ gatewayRefundId, cents: giving.amountCents, failed: false });
    const read = readOf(charge, giving.version);
    if (goes) await noteGivenBack(giving, gatewayRefundId, read);
    else await noteNotGivenBack(giving, { gatewayRefundId: null, failureCode: 'refused' }, read);
  }

  /** A bank sends that back after all. */
  private async itComesBack(pick: number): Promise<void> {
    const gone = this.charges.flatMap((charge) =>
      charge.given.filter(({ failed }) => !failed).map((one) => ({ charge, one })),
    );
    const { charge, one } = gone[pick % Math.max(1, gone.length)] ?? {};
    if (!charge || !one) return;
    one.failed = true;
    await this.note(charge);
  }

  /** Somebody says whose the money was that went back of a charge of many. */
  private async allocate(pick: number): Promise<void> {
    const open = await rows<{ id: string; cents: number }>(
      `SELECT id, amount_cents AS cents FROM money_cases WHERE organization_id = $1 AND status = 'open' AND capture_id IS NOT NULL ORDER BY id DESC`,
      [this.organizationId],
    );
    const one = open[pick % Math.max(1, open.length)];
    if (!one) return;
    const shares = await sharesOfCase(one.id);
    const turned = [...shares.slice(pick % shares.length), ...shares.slice(0, pick % shares.length)];
    let left = one.cents;
    const allocations = turned.flatMap(({ invoice, left_cents }) => {
      const amount_cents = Math.min(left, left_cents);
      left -= amount_cents;
      return amount_cents > 0 ? [{ invoice, amount_cents }] : [];
    });
    if (left > 0) return;
    await decideCase(one.id, { resolution: 'allocated', allocations, note: 'Theirs' }, this.world.officer.userId);
  }

  private async closeCase(pick: number): Promise<void> {
    const open = await rows<{ id: string }>(
      `SELECT id FROM money_cases WHERE organization_id = $1 AND status = 'open' AND capture_id IS NULL AND kind <> 'remittance_flagged' ORDER BY id DESC`,
      [this.organizationId],
    );
    const id = open[pick % Math.max(1, open.length)]?.id;
    if (id) await decideCase(id, { resolution: 'corrected', note: 'By bank' }, this.world.officer.userId);
  }

  private async payHand(invoiceId: string | undefined, amount_cents: number): Promise<void> {
    if (!invoiceId) return;
    const by = { method: 'cash', reference: 'Slip', received_on: '2020-01-02', idempotency_key: uuidv7() } as const;
    await payByHand(invoiceId, { amount_cents, ...by });
  }

  private async fee(invoiceId: string | undefined, cents: number): Promise<void> {
    if (invoiceId) await addFee(invoiceId, cents, 'Late');
  }

  /** A refund that was not sent yet stays. */
  private async callOff(pick: number): Promise<void> {
    const reserved = this.charges.flatMap((charge) =>
      charge.own.filter(({ status }) => status === null).map((refund) => ({ charge, refund })),
    );
    const { charge, refund } = reserved[pick % Math.max(1, reserved.length)] ?? {};
    if (!charge || !refund) return;
    await callRefundOff(refund.id);
    charge.own = charge.own.filter((one) => one !== refund);
  }

  private async setStatus({ membershipId }: Payer, status: string): Promise<void> {
    await rows('UPDATE memberships SET status = $2 WHERE id = $1', [membershipId, status]);
  }

  private async endMembership(payer: Payer): Promise<void> {
    await this.setStatus(payer, 'alumni');
    await endMemberAccounts([payer.membershipId as string]);
  }

  private async followSettlement(pick: number): Promise<void> {
    const open = await rows<{ id: string }>(
      `SELECT id FROM terminal_settlements WHERE organization_id = $1 AND status IN ('waiting', 'refunding') ORDER BY id`,
      [this.organizationId],
    );
    const id = open[pick % Math.max(1, open.length)]?.id;
    if (!id) return;
    await followSettlement(id);
    await this.rememberNew();
  }

  /** As the processor's event tells it: all that was given back so far. */
  private async refund(charge: Charge | undefined, percent: number): Promise<void> {
    if (!charge) return;
    charge.refunded += Math.ceil((Math.max(0, leftOf(charge)) * percent) / 100);
    await this.note(charge);
  }

  /** A bank sends back a part of what was called refunded: the provider is asked, and says less than before. */
  private async refundFails(charge: Charge | undefined, percent: number): Promise<void> {
    if (!charge || charge.refunded === 0) return;
    charge.refunded -= Math.ceil((charge.refunded * percent) / 100);
    charge.read = true;
    await this.note(charge);
  }

  /** We reserve what is to go back of an invoice; what was paid by a processor goes later. */
  private async giveBack(invoiceId: string | undefined, percent: number, waive: boolean): Promise<void> {
    if (!invoiceId) return;
    const { payments } = await holdRefundable(invoiceId);
    const amount_cents = Math.ceil((centsOf(payments) * percent) / 100);
    if (amount_cents === 0) return;
    const { refunds } = await reserveRefunds(invoiceId, {
      amount_cents,
      waive,
      reason: 'Cancelled',
      reference: 'Cash',
    });
    await this.remember(refunds);
  }

  /** The same of a payer's unspent credit. */
  private async sendBack(payer: Payer, percent: number): Promise<void> {
    const { cents } = await oneRow<{ cents: number }>('SELECT app.credit_balance($1, $2) AS cents', [
      payer.chapterId,
      payer.membershipId,
    ]);
    const amountCents = Math.ceil((cents * percent) / 100);
    if (amountCents === 0) return;
    await this.remember((await refundCredit(payer, { amountCents, reason: 'They have left' })).refunds);
  }

  /** They delete their account: what is left of their credit is reserved to go back. */
  private async leave(userId: string): Promise<void> {
    await eraseInOrganization(userId);
    await this.rememberNew();
  }

  private async rememberNew(): Promise<void> {
    const known = this.charges.flatMap(({ own }) => own.map(({ id }) => id));
    const begun = await rows<{ id: string }>(
      `SELECT id FROM refunds WHERE organization_id = $1 AND capture_id IS NOT NULL AND id <> ALL ($2) ORDER BY id`,
      [this.organizationId, known],
    );
    await this.remember(begun.map(({ id }) => id));
  }

  private async remember(refunds: string[]): Promise<void> {
    for (const id of refunds) {
      const made = await firstRow<{ cents: number; intent: string }>(
        `SELECT r.amount_cents AS cents, c.intent_id AS intent FROM refunds r JOIN processor_captures c ON c.id = r.capture_id
          WHERE r.id = $1`,
        [id],
      );
      // What was paid by hand has gone back by hand.
      if (!made) continue;
      const charge = this.charges.find(({ intent }) => intent === made.intent) as Charge;
      charge.own.push({ id, cents: made.cents, status: null });
      charge.read = true;
    }
  }

  /** The provider says what became of one: it goes back, a bank takes its time, or it stays; also after it was said to have gone. */
  private async hearOfIt(pick: number, status: MarkedRefund['status']): Promise<void> {
    const asked = this.charges.flatMap((charge) => charge.own.map((refund) => ({ charge, refund })));
    const { charge, refund } = asked.at(-1 - (pick % Math.max(1, Math.min(6, asked.length)))) ?? {};
    if (!charge || !refund || refund.status === 'failed' || (refund.status === 'refunded' && status === 'pending'))
      return;
    // The provider makes none of what somebody else took meanwhile.
    if (refund.status === null && refund.cents > leftOf(charge)) return failRefund(refund.id, 'refused');
    refund.status = status;
    await this.note(charge);
  }

  /** A payer asks their bank: it takes the money at once. */
  private async dispute(charge: Charge | undefined, percent: number): Promise<void> {
    if (!charge || charge.disputes.length === 2) return;
    const amountCents = Math.ceil((leftOf(charge) * percent) / 100);
    if (amountCents <= 0) return;
    const gatewayDisputeId = `dp_${uuidv7()}`;
    charge.disputes.push({
      gatewayDisputeId,
      reference: {},
      amountCents,
      currency: 'usd',
      reason: 'fraudulent',
      decision: 'none',
      evidenceDueAt: null,
      openedAt: new Date(),
      movements: [],
    });
    await this.bankMoves(charge, charge.disputes.at(-1) as ToldDispute);
  }

  /** A dispute is won, perhaps in part, or what was won is lost after all. */
  private async bankDecides(pick: number, percent: number): Promise<void> {
    const all = this.charges.flatMap((charge) => charge.disputes.map((dispute) => ({ charge, dispute })));
    const { charge, dispute } = all.at(-1 - (pick % Math.max(1, Math.min(4, all.length)))) ?? {};
    if (!charge || !dispute || dispute.movements.length === 5) return;
    const last = dispute.movements.at(-1);
    const cents =
      last?.kind === 'reinstated' ? last.amountCents : Math.ceil(((last?.amountCents ?? 0) * percent) / 100);
    // Nobody takes again what went back meanwhile.
    if (last?.kind === 'reinstated' && cents > leftOf(charge)) return;
    await this.bankMoves(charge, dispute, cents);
  }

  private async bankMoves(charge: Charge, dispute: ToldDispute, amountCents = dispute.amountCents): Promise<void> {
    const n = dispute.movements.length;
    dispute.movements.push({
      kind: n % 2 === 0 ? 'withdrawn' : 'reinstated',
      amountCents,
      movementId: `txn_${dispute.gatewayDisputeId}_${n}`,
      at: new Date(Date.now() + n),
    });
    dispute.decision = n === 0 ? 'none' : n % 2 === 0 ? 'lost' : 'won';
    const { now } = await oneRow<{ now: string }>('SELECT clock_timestamp()::text AS now');
    await recordDisputes(this.processorId, charge.intent, { askedAt: now, disputes: charge.disputes });
  }

  private async plan(pick: number, installment_count: number): Promise<void> {
    const open = await rows<{ id: string }>(
      `SELECT id FROM chapter_invoices i WHERE organization_id = $1 AND payer_type = 'member' AND balance_due_cents > 1 AND status <> 'void'
          AND NOT EXISTS (SELECT FROM payment_plans p WHERE p.invoice_id = i.id AND p.status = 'active') ORDER BY id DESC`,
      [this.organizationId],
    );
    const invoiceId = open[pick % Math.max(1, open.length)]?.id;
    if (!invoiceId) return;
    const { first_due_date } = await oneRow<{ first_due_date: string }>(
      'SELECT (app.today() + $1::int)::text AS first_due_date',
      [installment_count],
    );
    const { userId } = this.world.admin;
    const schedule = { installment_count, first_due_date, interval: 'weekly' } as const;
    const id = await requestPlan({ invoice: invoiceId, justification: 'In parts', schedule }, 'admin', userId);
    await reviewPlan(id, userId, { decision: 'approve' });
  }

  private async tick(pick: number, off: boolean): Promise<void> {
    const found = await rows<{ id: string; sequence: number }>(
      `SELECT p.id, w.sequence FROM payment_plans p JOIN payment_plan_installments w ON w.plan_id = p.id
        WHERE p.organization_id = $1 AND p.status = 'active' AND (w.reconciled_at IS NOT NULL) = $2 ORDER BY p.id DESC, w.sequence`,
      [this.organizationId, off],
    );
    const { id, sequence } = found[pick % Math.max(1, Math.min(5, found.length))] ?? {};
    if (!id || !sequence) return;
    if (off) await unreconcileInstallment(id, sequence, 'By mistake');
    else await reconcileInstallment(id, sequence, {}, this.world.admin.userId);
  }

  private async cancelPlan(pick: number): Promise<void> {
    const found = await rows<{ id: string }>(
      `SELECT id FROM payment_plans WHERE organization_id = $1 AND status = 'active' ORDER BY id DESC`,
      [this.organizationId],
    );
    const id = found[pick % Math.max(1, found.length)]?.id;
    if (id) await cancelPlan(id, 'Broken', this.world.admin.userId);
  }

  private async note(charge: Charge): Promise<void> {
    const { intent, refunded, read } = charge;
    const { version } = await oneRow<{ version: string }>(
      `SELECT ${CAPTURE_VERSION_SQL} AS version FROM processor_captures c WHERE c.intent_id = $1`,
      [intent],
    );
    const known = await refundCapture(this.processorId, intent, read ? readOf(charge, version) : refunded);
    if (known.state === 'unknown') throw new Error(`The capture of ${intent} is not on record.`);
  }

  private async discount(invoiceId: string | undefined, cents: number): Promise<void> {
    if (!invoiceId) return;
    // Whoever changes an invoice holds it.
    await rows('SELECT id FROM chapter_invoices WHERE id = $1 FOR UPDATE', [invoiceId]);
    await rows(
      `INSERT INTO invoice_discounts (organization_id, invoice_id, amount_cents, reason) VALUES ($1, $2, $3, 'Hardship')`,
      [this.world.organizationId, invoiceId, cents],
    );
  }

  private async withdrawDiscount(pick: number): Promise<void> {
    await rows('SELECT id FROM chapter_invoices WHERE id = ANY($1) ORDER BY id FOR UPDATE', [this.invoices]);
    await rows(
      `UPDATE invoice_discounts SET voided_at = now(), void_reason = 'Given by mistake' WHERE id = (
         SELECT id FROM invoice_discounts WHERE invoice_id = ANY($1) AND voided_at IS NULL ORDER BY id DESC OFFSET $2 LIMIT 1)`,
      [this.invoices, pick % 3],
    );
  }

  private async spend(pick: number, cents: number): Promise<void> {
    const payable = await rows<{ id: string }>(
      `SELECT id FROM chapter_invoices WHERE id = ANY($1) AND balance_due_cents > 0
          AND app.credit_balance(chapter_id, membership_id) > 0 ORDER BY id`,
      [this.invoices],
    );
    const chosen = payable[pick % payable.length];
    if (chosen) await applyCredit(chosen.id, { upToCents: cents });
  }

  private async void(invoiceId: string | undefined): Promise<void> {
    if (invoiceId) await voidInvoice(invoiceId, 'A mistake');
  }

  private async settle({ membershipId }: Payer): Promise<void> {
    if (membershipId) await settleMemberDebts([membershipId]);
  }

  private async reverse(pick: number): Promise<void> {
    const entry = await firstRow<{ id: string }>(
      'SELECT id FROM chapter_account_credits WHERE organization_id = $1 ORDER BY id DESC OFFSET $2 LIMIT 1',
      [this.organizationId, pick % 10],
    );
    if (entry) await reverseCredit(entry.id, 'A mistake');
  }

  /** Credit that leaves as money: what comes back later can be taken from nowhere. */
  private async payOut({ chapterId, membershipId }: Payer, percent: number): Promise<void> {
    await rows(
      `INSERT INTO chapter_account_credits (organization_id, chapter_id, payer_type, membership_id, kind, amount_cents, reason)
       SELECT $1, $2, $3, $4, 'refunded', ceil(available * $5::int / 100.0), 'Sent back'
         FROM (SELECT app.credit_balance($2, $4) AS available) payer WHERE available > 0`,
      [this.organizationId, chapterId, membershipId ? 'member' : 'chapter', membershipId, percent],
    );
  }
}
