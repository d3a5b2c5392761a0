/** Classifies the transactions of PayPal's list by their codes. */
import type { TransactionInformation } from '@paypal/paypal-server-sdk';
import type { Movement } from '../port.js';
import { centsOf } from './answers.js';
import { readMarks } from './marks.js';

/** A movement with the capture to which it belongs. */
interface ClassifiedTransaction {
  movement: Movement;
  /** The capture to which the movement belongs; null: it belongs to none of our captures. */
  capture: string | null;
  /** Whether the movement was reversed. */
  wasReversed: boolean;
}

/**
 * Kinds of movements by the beginning of PayPal's transaction code; longer beginnings come first. Null: no money moved,
 * because money was only reserved or released.
 */
const KINDS: readonly [code: string, kind: Movement['kind'] | 'fee' | null][] = [
  // These codes are holds of the account, including holds for disputes. A withdrawal for a dispute has a code of its
  // own.
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

export function classifyTransaction(transaction: TransactionInformation): ClassifiedTransaction[] {
  const { transactionId: id, transactionEventCode: code = '', transactionStatus: status } = transaction;
  const entry = KINDS.find(([beginning]) => code.startsWith(beginning));
  const at = new Date(transaction.transactionInitiationDate ?? Number.NaN);
  // A pending or denied transaction moved nothing.
  if (!id || entry?.[1] === null || (status !== 'S' && status !== 'V') || Number.isNaN(at.getTime())) return [];
  const cents = centsOf(transaction.transactionAmount);
  const kind = entry?.[1] ?? 'other';
  const reference = readMarks(transaction.customField);
  const isOurs = Object.keys(reference).length > 0;
  const isCharge = kind === 'captured' && cents > 0;
  const refersToTransaction = String(transaction.paypalReferenceIdType) === 'TXN';
  const captureId = isCharge ? isOurs && id : refersToTransaction && transaction.paypalReferenceId;
  return [
    {
      capture: captureId && CAPTURE.test(captureId) ? captureId : null,
      wasReversed: kind === 'refunded' && status === 'V',
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

/**
 * Returns the movements of a transaction: one, or two if it was reversed.
 * @param intentId the id of the order to which the capture belongs
 */
export function movementsOf({ movement, wasReversed }: ClassifiedTransaction, intentId: string | null): Movement[] {
  const withIntent = { ...movement, intentId };
  if (!wasReversed) return [withIntent];
  const returned = { movementId: `${withIntent.movementId}:failed`, kind: 'refund_failed' as const };
  return [
    withIntent,
    { ...withIntent, ...returned, amountCents: -withIntent.amountCents, feeCents: -withIntent.feeCents },
  ];
}
