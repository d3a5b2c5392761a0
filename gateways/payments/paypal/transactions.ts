/** What a transaction of PayPal's list is, by its code. */
import type { TransactionInformation } from '@paypal/paypal-server-sdk';
import type { Movement } from '../port.js';
import { centsOf } from './answers.js';
import { readMarks } from './marks.js';

/** Money that moved, and the capture that it is of. */
interface Told {
  movement: Movement;
  /** null: of none, or of other business than ours. */
  capture: string | null;
  /** It came back to where it was. */
  isUndone: boolean;
}

/** By the beginnings of their codes, the longest first; null: nothing moved, something is merely held or let go. */
const KINDS: readonly [code: string, kind: Movement['kind'] | 'fee' | null][] = [
  // Holds of the account, for disputes too: what a dispute takes has a code of its own.
  ['T1105', null],
  ['T1110', null],
  ['T1111', null],
  ['T1106', 'disputed'],
  ['T1107', 'refunded'],
  ['T1201', 'disputed'],
  ['T1202', 'disputed'],
  ['T1207', 'disputed'],
  ['T1208', 'disputed'],
  ['T00', 'captured'],
  ['T01', 'fee'],
  ['T04', 'payout'],
  ['T13', null],
  ['T15', null],
  ['T21', null],
];

const CAPTURE = /^[A-Z0-9]{10,40}$/;

export function toldBy(transaction: TransactionInformation): Told[] {
  const { transactionId: id, transactionEventCode: code = '', transactionStatus: status } = transaction;
  const found = KINDS.find(([beginning]) => code.startsWith(beginning));
  const at = new Date(transaction.transactionInitiationDate ?? Number.NaN);
  // What is pending or was denied has moved nothing.
  if (!id || found?.[1] === null || (status !== 'S' && status !== 'V') || Number.isNaN(at.getTime())) return [];
  const cents = centsOf(transaction.transactionAmount);
  const kind = found?.[1] ?? 'other';
  const reference = readMarks(transaction.customField);
  const isOurs = Object.keys(reference).length > 0;
  const isCharge = kind === 'captured' && cents > 0;
  const isOfAnother = String(transaction.paypalReferenceIdType) === 'TXN';
  const of = isCharge ? isOurs && id : isOfAnother && transaction.paypalReferenceId;
  return [
    {
      capture: of && CAPTURE.test(of) ? of : null,
      isUndone: kind === 'refunded' && status === 'V',
      movement: {
        movementId: id,
        kind: kind === 'fee' || (kind === 'captured' && !isCharge) ? 'other' : kind,
        amountCents: kind === 'fee' ? 0 : cents,
        feeCents: (kind === 'fee' ? -cents : 0) - centsOf(transaction.feeAmount),
        currency: (transaction.transactionAmount?.currencyCode ?? 'USD').toLowerCase(),
        at,
        intentId: null,
        gatewayRefundId: kind === 'refunded' ? id : null,
        reference,
      },
    },
  ];
}

/** @param intentId the order that its capture is of */
export function movementsOf({ movement, isUndone }: Told, intentId: string | null): Movement[] {
  const moved = { ...movement, intentId };
  if (!isUndone) return [moved];
  const returned = { movementId: `${moved.movementId}:failed`, kind: 'refund_failed' as const };
  return [moved, { ...moved, ...returned, amountCents: -moved.amountCents, feeCents: -moved.feeCents }];
}
