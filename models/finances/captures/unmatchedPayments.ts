/**
 * Lists payments that matched no invoice or remittance, with the decisions about them. For the foundation's account,
 * also lists payments that differ from what their gift expects.
 */
import { type Page, type PageRequest, selectPage } from '../../database/page.js';
import { firstJson } from '../../database/rows.js';
import { refuse } from '../../errors.js';
import type { Purpose } from '../payment-processors/OrgPaymentProcessor.js';
import type { CaptureResolution } from './CaptureResolution.js';
import type { GIFT_RESOLUTIONS, RESOLUTIONS } from './resolutions.js';

export const UNMATCHED_STATES = ['open', 'refunding', 'refunded', 'kept_as_credit'] as const;
export const UNMATCHED_GIFT_STATES = ['open', 'refunding', 'refunded', 'accepted'] as const;

interface Unmatched<State extends string, Resolution extends string> {
  id: string;
  processor: string;
  processor_payment_id: string;
  amount_cents: number;
  refunded_cents: number;
  currency: string | null;
  state: State;
  /** The latest decision about the payment. If it was a refund that failed, the payment is still open. */
  resolution: {
    id: string;
    resolution: Resolution;
    status: CaptureResolution['status'];
    amount_cents: number;
    payer: { chapter: string; membership: string | null } | null;
    note: string;
    failure_code: string | null;
    requested_by: string | null;
    created_at: string;
    finished_at: string | null;
  } | null;
  created_at: string;
}

export type UnmatchedPayment = Unmatched<(typeof UNMATCHED_STATES)[number], (typeof RESOLUTIONS)[number]>;
/** A payment on the foundation's account; `donation` is null if it names no gift. */
export type UnmatchedGiftPayment = Unmatched<
  (typeof UNMATCHED_GIFT_STATES)[number],
  (typeof GIFT_RESOLUTIONS)[number]
> & {
  donation: string | null;
};
type UnmatchedOf = { dues: UnmatchedPayment; foundation: UnmatchedGiftPayment };

/** SQL condition for unmatched captures `c` on an account of this purpose. */
export const isUnmatched = (purpose: Purpose): string =>
  `c.organization_id = (SELECT app.org_id()) AND c.remittance_id IS NULL AND c.invoice_id IS NULL AND c.disposition <> 'recorded'
   AND EXISTS (SELECT FROM org_payment_processors p WHERE p.organization_id = c.organization_id AND p.id = c.processor_id
                  AND p.purpose = '${purpose}')`;

const LAST_RESOLUTION = `LEFT JOIN LATERAL (SELECT * FROM capture_resolutions l
  WHERE l.organization_id = c.organization_id AND l.capture_id = c.id ORDER BY l.id DESC LIMIT 1) r ON true`;

const COLUMNS = `c.id, c.processor_id AS processor, c.intent_id AS processor_payment_id, c.amount_cents, c.refunded_cents, c.currency,
  CASE WHEN r.status = 'pending' THEN 'refunding' WHEN c.disposition = 'flagged' THEN 'open'
       WHEN r.status = 'done' AND r.resolution = 'keep_as_credit' THEN 'kept_as_credit'
       WHEN c.donation_id IS NOT NULL AND c.refunded_cents < c.amount_cents THEN 'accepted' ELSE 'refunded' END AS state,
  CASE WHEN r.id IS NOT NULL THEN json_build_object('id', r.id, 'resolution', r.resolution, 'status', r.status,
    'amount_cents', r.amount_cents,
    'payer', CASE WHEN r.chapter_id IS NOT NULL THEN json_build_object('chapter', r.chapter_id, 'membership', r.membership_id) END,
    'note', r.note, 'failure_code', r.failure_code, 'requested_by', r.requested_by, 'created_at', r.created_at,
    'finished_at', r.finished_at) END AS resolution, c.created_at`;

const COLUMNS_OF = { dues: COLUMNS, foundation: `${COLUMNS}, c.donation_id AS donation` };

/**
 * Lists unmatched payments on accounts of a purpose, newest first. @param resolved undefined: both open and resolved
 * payments
 */
export const listUnmatched = <P extends Purpose>(
  purpose: P,
  resolved: boolean | undefined,
  page: PageRequest,
): Promise<Page<UnmatchedOf[P]>> =>
  selectPage<UnmatchedOf[P]>({
    from: 'processor_captures c',
    where: `${isUnmatched(purpose)} AND ($1::boolean IS NULL OR (c.disposition = 'resolved') = $1)`,
    values: [resolved ?? null],
    orderBy: 'c.id DESC',
    key: 'c.id',
    join: LAST_RESOLUTION,
    select: COLUMNS_OF[purpose],
    ...page,
  });

/**
 * Reads an unmatched payment.
 * @throws Refusal not_found
 */
export async function readUnmatched<P extends Purpose>(purpose: P, captureId: string): Promise<UnmatchedOf[P]> {
  const payment = await firstJson<UnmatchedOf[P]>(
    `SELECT ${COLUMNS_OF[purpose]} FROM processor_captures c ${LAST_RESOLUTION} WHERE ${isUnmatched(purpose)} AND c.id = $1`,
    [captureId],
  );
  if (!payment) throw refuse.not_found();
  return payment;
}
