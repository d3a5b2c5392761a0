/** Actions on an invoice: who may take each, and whether the present state of the invoice permits it. */
import { Refusal, refuse } from '../../../models/errors.js';
import { financesErrors } from '../../../models/finances/errors.js';
import {
  requireBalance,
  requireCredit,
  requireDiscountable,
  requireLive,
  requireNotBeingPaid,
  requireNotBeingRefunded,
  requireRefundable,
  requireRegenerable,
} from '../../../models/finances/invoices/changeable.js';
import type { InvoiceDetail } from '../../../models/finances/invoices/readInvoice.js';
import type { Actor } from '../../../models/identity/Actor.js';
import { authorize, may, outsideRule } from '../../http/policy.js';
import { seesAmounts } from '../amounts.js';
import { invoicePolicy, subjectOf } from './policy.js';

export const INVOICE_ACTIONS = ['refund', 'credit', 'fee', 'waiver', 'regenerate', 'void'] as const;
type InvoiceAction = (typeof INVOICE_ACTIONS)[number];

/**
 * Requires that the actor may add a fee to an invoice or pay it: administrators any invoice; officers those of their
 * chapter's members, except their own, and only if they see amounts.
 * @throws Refusal forbidden, own_invoice, amounts_hidden
 */
export function authorizeAdjustment(actor: Actor, invoice: InvoiceDetail): void {
  const subject = subjectOf(invoice);
  authorize(actor, invoicePolicy, 'adjust', subject);
  if (may(actor, invoicePolicy, 'discount', subject)) return;
  if (invoice.payer_type === 'chapter') throw refuse.forbidden();
  if (actor.membershipIds.includes(invoice.membership ?? '')) throw financesErrors.own_invoice();
  if (!seesAmounts(actor, subject, invoice.officers_see_amounts)) throw financesErrors.amounts_hidden();
}

/** Checks a person or an invoice. @throws Refusal */
type Requirement = (actor: Actor, invoice: InvoiceDetail) => void;

const authorizes =
  (action: 'refund' | 'discount' | 'regenerate' | 'void'): Requirement =>
  (actor, invoice) =>
    authorize(actor, invoicePolicy, action, subjectOf(invoice));

const isLive: Requirement = (_, invoice) => requireLive(invoice);

/** The checks that the request of each action makes, in its order. */
const REQUIREMENTS: Record<InvoiceAction, readonly Requirement[]> = {
  refund: [authorizes('refund'), isLive, (_, { refundable_cents }) => requireRefundable(refundable_cents)],
  credit: [
    authorizeAdjustment,
    isLive,
    (_, { payment_in_progress }) => requireNotBeingPaid(payment_in_progress),
    (_, { balance_due_cents }) => requireBalance(balance_due_cents ?? 0, 1),
    (_, { payer_credit_cents }) => requireCredit(payer_credit_cents, 1),
  ],
  fee: [authorizeAdjustment, isLive],
  waiver: [
    authorizes('discount'),
    isLive,
    (_, { total_cents, discount_cents }) =>
      requireDiscountable({ total_cents: total_cents ?? 0, discount_cents: discount_cents ?? 0 }, 1),
  ],
  regenerate: [
    authorizes('regenerate'),
    (_, invoice) => requireRegenerable(invoice),
    (_, { is_being_refunded }) => requireNotBeingRefunded(is_being_refunded),
  ],
  void: [authorizes('void'), isLive],
};

/**
 * Returns the actions that the actor may take, each with the refusal that it would meet at present. An impersonating
 * session only reads.
 */
export function presentActions(actor: Actor, invoice: InvoiceDetail) {
  if (actor.facts.impersonation) return [];
  return outsideRule(actor, () =>
    INVOICE_ACTIONS.flatMap((action) => {
      const refusal = refusalOf(REQUIREMENTS[action], actor, invoice);
      if (refusal?.code === 'forbidden') return [];
      return [{ action, why_not: refusal && { code: refusal.code, detail: detailOf(refusal) } }];
    }),
  );
}

/** The sentence of a refusal; if it is about a field, that of the field. */
const detailOf = ({ message, errors = {} }: Refusal): string => Object.values(errors).flat()[0] ?? message;

function refusalOf(requirements: readonly Requirement[], actor: Actor, invoice: InvoiceDetail): Refusal | null {
  try {
    for (const requirement of requirements) requirement(actor, invoice);
    return null;
  } catch (error) {
    if (error instanceof Refusal) return error;
    throw error;
  }
}
