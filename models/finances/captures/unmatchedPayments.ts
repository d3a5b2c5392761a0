/** Lists payments that matched no invoice or remittance, with the decisions about them. */
import { type Page, type PageRequest, selectPage } from '../../database/page.js';
import { firstJson } from '../../database/rows.js';
import { refuse } from '../../errors.js';
import type { CaptureResolution } from './CaptureResolution.js';

export const UNMATCHED_STATES = ['open', 'refunding', 'refunded', 'kept_as_credit'] as const;

export interface UnmatchedPayment {
  id: string;
  processor: string;
  processor_payment_id: string;
  amount_cents: number;
  refunded_cents: number;
  currency: string | null;
  state: (typeof UNMATCHED_STATES)[number];
  /** The latest decision; a failed one leaves the payment open. */
  resolution: {
    id: string;
    resolution: CaptureResolution['resolution'];
    status: CaptureResolution['status'];
    amount_cents: number;
    payer: { chapter: string; membership: string | null } | null;
    note: string;
    failure_code: string | null;
    requested_by: string;
    created_at: string;
    finished_at: string | null;
  } | null;
  created_at: string;
}

/** SQL condition for unmatched captures `c`. */
const UNMATCHED = 'c.organization_id = (SELECT app.org_id()) AND c.remittance_id IS NULL AND c.invoice_id IS NULL';

const LAST_RESOLUTION = `LEFT JOIN LATERAL (SELECT * FROM capture_resolutions l
  WHERE l.organization_id = c.organization_id AND l.capture_id = c.id ORDER BY l.id DESC LIMIT 1) r ON true`;

const COLUMNS = `c.id, c.processor_id AS processor, c.intent_id AS processor_payment_id, c.amount_cents, c.refunded_cents, c.currency,
  CASE WHEN r.status = 'pending' THEN 'refunding' WHEN c.disposition = 'flagged' THEN 'open'
       WHEN r.status = 'done' AND r.resolution = 'keep_as_credit' THEN 'kept_as_credit' ELSE 'refunded' END AS state,
  CASE WHEN r.id IS NOT NULL THEN json_build_object('id', r.id, 'resolution', r.resolution, 'status', r.status,
    'amount_cents', r.amount_cents,
    'payer', CASE WHEN r.chapter_id IS NOT NULL THEN json_build_object('chapter', r.chapter_id, 'membership', r.membership_id) END,
    'note', r.note, 'failure_code', r.failure_code, 'requested_by', r.requested_by, 'created_at', r.created_at,
    'finished_at', r.finished_at) END AS resolution, c.created_at`;

/** Lists unmatched payments, newest first. @param resolved undefined: both open and resolved payments */
export const listUnmatched = (resolved: boolean | undefined, page: PageRequest): Promise<Page<UnmatchedPayment>> =>
  selectPage<UnmatchedPayment>({
    from: 'processor_captures c',
    where: `${UNMATCHED} AND ($1::boolean IS NULL OR (c.disposition = 'resolved') = $1)`,
    values: [resolved ?? null],
    orderBy: 'c.id DESC',
    key: 'c.id',
    join: LAST_RESOLUTION,
    select: COLUMNS,
    ...page,
  });

/** @throws Refusal not_found */
export async function readUnmatched(captureId: string): Promise<UnmatchedPayment> {
  const payment = await firstJson<UnmatchedPayment>(
    `SELECT ${COLUMNS} FROM processor_captures c ${LAST_RESOLUTION} WHERE ${UNMATCHED} AND c.id = $1`,
    [captureId],
  );
  if (!payment) throw refuse.not_found();
  return payment;
}
