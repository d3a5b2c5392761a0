/** What an account at the stand-in for Checkout.com holds: payments, and what was done to them. */
import { randomBytes } from 'node:crypto';

export interface Action {
  id: string;
  type: 'Authorization' | 'Capture' | 'Void' | 'Refund';
  amount: number;
  reference?: string;
  processed_on?: string;
  /** Absent until it is known. */
  approved?: boolean;
  response_code?: string;
  response_summary?: string;
}

export interface Payment {
  id: string;
  status: string;
  amount: number;
  currency: string;
  reference?: string;
  metadata: Record<string, string>;
  requested_on: string;
  response_code: string;
  response_summary: string;
  /** Oldest first. */
  actions: Action[];
  card: string;
}

/** Cards that make trouble, by their tokens. */
export const CARDS = {
  good: 'tok_aaaaaaaaaaaaaaaaaaaaaaaaaa',
  declined: 'tok_bbbbbbbbbbbbbbbbbbbbbbbbbb',
  captureDeclined: 'tok_cccccccccccccccccccccccccc',
  refundPending: 'tok_dddddddddddddddddddddddddd',
} as const;

export interface Ledger {
  kind: 'capture' | 'refund';
  amount_cents: number;
  payment: string;
}

const LETTERS = 'abcdefghijklmnopqrstuvwxyz234567';

export const idOf = (prefix: string): string =>
  `${prefix}_${[...randomBytes(26)].map((byte) => LETTERS[byte % LETTERS.length]).join('')}`;

export const sumOf = ({ actions }: Payment, type: Action['type'], among: (action: Action) => boolean): number =>
  actions.filter((action) => action.type === type && among(action)).reduce((sum, { amount }) => sum + amount, 0);

export const approved = (action: Action): boolean => action.approved === true;
export const notRefused = (action: Action): boolean => action.approved !== false;

/** What its actions make of it. */
export function statusOf(payment: Payment): string {
  if (payment.actions.some((action) => action.type === 'Authorization' && !notRefused(action))) return 'Declined';
  if (payment.actions.some((action) => action.type === 'Void' && approved(action))) return 'Voided';
  const captured = sumOf(payment, 'Capture', approved);
  if (captured === 0) return 'Authorized';
  const refunded = sumOf(payment, 'Refund', approved);
  if (refunded >= captured) return 'Refunded';
  if (refunded > 0) return 'Partially Refunded';
  return captured < payment.amount ? 'Partially Captured' : 'Captured';
}

/** As the API shows it. */
export function shown(payment: Payment): Record<string, unknown> {
  const { actions: _, card: __, ...rest } = payment;
  const captured = sumOf(payment, 'Capture', approved);
  const refunded = sumOf(payment, 'Refund', notRefused);
  const open = statusOf(payment) === 'Authorized' ? payment.amount : 0;
  const status = statusOf(payment);
  const balances = {
    total_authorized: status === 'Declined' ? 0 : payment.amount,
    total_voided: status === 'Voided' ? payment.amount : 0,
    available_to_void: open,
    total_captured: captured,
    available_to_capture: open,
    total_refunded: refunded,
    available_to_refund: captured - refunded,
  };
  return { ...rest, status, approved: status !== 'Declined', balances };
}
