/** Reads disputes of dues with their money movements, in one statement. Disputes of gifts concern the foundation only. */
import { type Page, type PageRequest, selectPage } from '../../database/page.js';
import { firstJson } from '../../database/rows.js';
import { refuse } from '../../errors.js';
import type { DISPUTE_STATUSES } from './PaymentDispute.js';

type Status = (typeof DISPUTE_STATUSES)[number];

export interface Dispute {
  id: string;
  processor: string;
  gateway_dispute_id: string;
  /** The provider's id of the charge. */
  processor_payment_id: string;
  remittance: string | null;
  invoices: string[];
  amount_cents: number;
  currency: string;
  reason: string;
  status: Status;
  evidence_due_at: string | null;
  withdrawn_cents: number;
  reinstated_cents: number;
  fee_cents: number;
  unallocated_cents: number;
  money_case: string | null;
  movements: {
    kind: 'withdrawn' | 'reinstated' | 'fee';
    amount_cents: number;
    gateway_movement_id: string;
    moved_at: string;
  }[];
  opened_at: string;
}

const JOINS = `JOIN processor_captures c ON c.organization_id = d.organization_id AND c.id = d.capture_id
  LEFT JOIN money_cases k ON k.organization_id = c.organization_id AND k.capture_id = c.id AND k.status = 'open'
  CROSS JOIN LATERAL (SELECT coalesce(json_agg(json_build_object('kind', m.kind, 'amount_cents', m.amount_cents,
      'gateway_movement_id', m.gateway_movement_id, 'moved_at', m.moved_at) ORDER BY m.moved_at, m.id), '[]') AS movements
    FROM payment_dispute_movements m WHERE m.organization_id = d.organization_id AND m.dispute_id = d.id) moved
  CROSS JOIN LATERAL (SELECT coalesce(json_agg(DISTINCT p.invoice_id), '[]') AS invoices FROM payment_records p
    WHERE p.organization_id = c.organization_id AND p.processor_id = c.processor_id AND p.intent_id = c.intent_id) paid`;

const COLUMNS = `d.id, c.processor_id AS processor, d.gateway_dispute_id, c.intent_id AS processor_payment_id, c.remittance_id AS remittance,
  paid.invoices, d.amount_cents, d.currency, d.reason, d.status, d.evidence_due_at, d.withdrawn_cents, d.reinstated_cents,
  d.fee_cents, coalesce(k.amount_cents, 0) AS unallocated_cents, k.id AS money_case, moved.movements, d.opened_at`;

/** SQL: whether the disputed charge of `d` was made through an account for dues. */
export const IS_OF_DUES = `EXISTS (SELECT FROM processor_captures dc
    JOIN org_payment_processors dp ON dp.organization_id = dc.organization_id AND dp.id = dc.processor_id
   WHERE dc.organization_id = d.organization_id AND dc.id = d.capture_id AND dp.purpose = 'dues')`;

/** Lists disputes, newest first. */
export const listDisputes = (status: Status | undefined, page: PageRequest): Promise<Page<Dispute>> =>
  selectPage<Dispute>({
    from: 'payment_disputes d',
    where: `d.organization_id = (SELECT app.org_id()) AND ($1::text IS NULL OR d.status = $1) AND ${IS_OF_DUES}`,
    values: [status ?? null],
    orderBy: 'd.id DESC',
    key: 'd.id',
    join: JOINS,
    select: COLUMNS,
    ...page,
  });

/**
 * Reads a dispute.
 * @throws Refusal not_found
 */
export async function readDispute(id: string): Promise<Dispute> {
  const dispute = await firstJson<Dispute>(
    `SELECT ${COLUMNS} FROM payment_disputes d ${JOINS} WHERE d.organization_id = (SELECT app.org_id()) AND d.id = $1 AND ${IS_OF_DUES}`,
    [id],
  );
  if (!dispute) throw refuse.not_found();
  return dispute;
}
