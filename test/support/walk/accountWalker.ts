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
import { refundCapture } from '../../../models/finances/captures/refundCapture.js';
import { applyCredit } from '../../../models/finances/credit/applyCredit.js';
import { issueCredit } from '../../../models/finances/credit/issueCredit.js';
import { moveCredit } from '../../../models/finances/credit/moveCredit.js';
import type { Payer } from '../../../models/finances/credit/payer.js';
import { refundCredit } from '../../../models/finances/credit/refundCredit.js';
import { reverseCredit } from '../../../models/finances/credit/reverseCredit.js';
import { recordDisputes, type ToldDispute } from '../../../models/finances/disputes/recordDisputes.js';
import { holdRefundable } from '../../../models/finances/refunds/refundable.js';
import { centsOf, reserveRefunds } from '../../../models/finances/refunds/reserveRefunds.js';
import { failRefund, type MarkedRefund } from '../../../models/finances/refunds/settleRefunds.js';
import { recordRefund } from '../../../models/finances/recordRefund.js';
import { beginPayment } from '../../../models/finances/remittances/beginPayment.js';
import { leastChargeCents } from '../../../models/finances/payment-processors/providers.js';
import { createRemittance } from '../../../models/finances/remittances/createRemittance.js';
import { settleRemittance } from '../../../models/finances/remittances/settleRemittance.js';
import { settleMemberDebts } from '../../../models/finances/settleMemberDebts.js';
import { regenerateInvoice } from '../../../models/finances/regeneration/regenerateInvoice.js';
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
  /** What we asked for. */
  own: { id: string; cents: number; status: MarkedRefund['status'] | null }[];
  /** The provider was asked about it before. */
  read: boolean;
  disputes: ToldDispute[];
}

/** What of a charge has gone back, or is on its way, by the provider's word. */
const standing = ({ refunded = 0, own }: Pick<Charge, 'own'> & { refunded?: number }): number =>
  own.reduce((sum, { cents, status }) => (status === 'refunded' || status === 'pending' ? sum + cents : sum), refunded);

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
        ['reverse', 'send credit back', 'leave', 'issue anew'].includes(step.do) || refusal?.code === 'invoice_void';
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
        return this.bankDecides(step.pick);
      case 'move':
        return this.move(step.payer);
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
    this.charges.push({ intent: intentId, cents: amountCents, refunded: 0, own: [], read: false, disputes: [] });
  }

  private async remit(pick: number, many: number): Promise<void> {
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
    await settleRemittance({ remittanceId, processorId: this.processorId, intentId, amountCents });
    this.charges.push({ intent: intentId, cents: amountCents, refunded: 0, own: [], read: false, disputes: [] });
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
    const known = this.charges.flatMap(({ own }) => own.map(({ id }) => id));
    const begun = await rows<{ id: string }>(
      `SELECT id FROM refunds WHERE organization_id = $1 AND capture_id IS NOT NULL AND id <> ALL ($2) ORDER BY id`,
      [this.organizationId, known],
    );
    await this.remember(begun.map(({ id }) => id));
  }

  private async remember(refunds: string[]): Promise<void> {
    for (const id of refunds) {
      const made = await oneRow<{ cents: number; intent: string }>(
        `SELECT r.amount_cents AS cents, c.intent_id AS intent FROM refunds r JOIN processor_captures c ON c.id = r.capture_id
          WHERE r.id = $1`,
        [id],
      );
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

  /** A dispute is won, or what was won is lost after all. */
  private async bankDecides(pick: number): Promise<void> {
    const all = this.charges.flatMap((charge) => charge.disputes.map((dispute) => ({ charge, dispute })));
    const { charge, dispute } = all.at(-1 - (pick % Math.max(1, Math.min(4, all.length)))) ?? {};
    if (!charge || !dispute || dispute.movements.length === 5) return;
    // Nobody takes again what went back meanwhile.
    if (dispute.movements.at(-1)?.kind === 'reinstated' && dispute.amountCents > leftOf(charge)) return;
    await this.bankMoves(charge, dispute);
  }

  private async bankMoves(charge: Charge, dispute: ToldDispute): Promise<void> {
    const n = dispute.movements.length;
    dispute.movements.push({
      kind: n % 2 === 0 ? 'withdrawn' : 'reinstated',
      amountCents: dispute.amountCents,
      movementId: `txn_${dispute.gatewayDisputeId}_${n}`,
      at: new Date(Date.now() + n),
    });
    dispute.decision = n === 0 ? 'none' : n % 2 === 0 ? 'lost' : 'won';
    const { now } = await oneRow<{ now: string }>('SELECT clock_timestamp()::text AS now');
    await recordDisputes(this.processorId, charge.intent, { askedAt: now, disputes: charge.disputes });
  }

  private async note({ intent, refunded: foreign, own, read }: Charge): Promise<void> {
    const { version } = await oneRow<{ version: string }>(
      `SELECT ${CAPTURE_VERSION_SQL} AS version FROM processor_captures c WHERE c.intent_id = $1`,
      [intent],
    );
    const marked = own.flatMap(({ id, cents, status }) =>
      status ? [{ refundId: id, status, gatewayRefundId: `re_${id}`, amountCents: cents, failureCode: null }] : [],
    );
    const refundedCents = foreign + standing({ own });
    const given = read ? { version, refundedCents, failed: [], marked } : foreign;
    const known = await refundCapture(this.processorId, intent, given);
    if (known.state === 'unknown') throw new Error(`The capture of ${intent} is not on record.`);
    const { ofPaymentsCents, own: ours } = known;
    await recordRefund({ intentId: intent, refundedCents: ofPaymentsCents, own: ours, mayBeLess: read });
  }

  private async discount(invoiceId: string | undefined, cents: number): Promise<void> {
    if (!invoiceId) return;
    await rows(
      `INSERT INTO invoice_discounts (organization_id, invoice_id, amount_cents, reason) VALUES ($1, $2, $3, 'Hardship')`,
      [this.world.organizationId, invoiceId, cents],
    );
  }

  private async withdrawDiscount(pick: number): Promise<void> {
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
