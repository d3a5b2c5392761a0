/** Reads remittances, each query in one statement that builds JSON in Postgres. */
import { type Page, type PageRequest, selectPage } from '../../database/page.js';
import { firstJson, firstRow } from '../../database/rows.js';
import type { AttemptStatus } from '../attempts/PaymentAttempt.js';
import type { InvoiceStatus } from '../invoices/ChapterInvoice.js';
import type { FlagReason } from './ChapterRemittance.js';
import { REMITTANCE_STATE, type RemittanceStatus } from './remittance.js';

export interface RemittanceRow {
  id: string;
  chapter: string;
  status: RemittanceStatus;
  currency: string;
  total_cents: number | null;
  invoice_count: number;
  processor_payment_id: string | null;
  created_by: string;
  created_at: string;
  settled_at: string | null;
  reconciliation_flagged_at: string | null;
  reconciliation_amount_cents: number | null;
  reconciliation_reason: FlagReason | null;
  reconciliation_note: string | null;
  resolved_at: string | null;
  /** Whether officers see amounts in this organization. The presenter hides amounts from them otherwise. */
  officers_see_amounts: boolean;
}

export interface RemittanceDetail extends RemittanceRow {
  allocations: {
    id: string;
    invoice: string;
    payer_name: string | null;
    invoice_status: InvoiceStatus;
    amount_cents: number | null;
    is_stale: boolean;
    payment: string | null;
    processor_payment_id: string | null;
  }[];
  attempts: {
    id: string;
    status: AttemptStatus;
    failure_code: string | null;
    failure_message: string | null;
    created_at: string;
    finished_at: string | null;
    workflow_id: string;
  }[];
}

const COLUMNS = `r.id, r.chapter_id AS chapter, state.status, r.currency, r.total_cents,
  (SELECT count(*)::int FROM chapter_remittance_allocations a WHERE a.organization_id = r.organization_id AND a.remittance_id = r.id)
    AS invoice_count,
  r.processor_payment_id, r.created_by, r.created_at, r.settled_at, r.reconciliation_flagged_at, r.reconciliation_amount_cents,
  r.reconciliation_reason, r.reconciliation_note, r.resolved_at,
  app.officers_see_amounts(r.organization_id) AS officers_see_amounts`;

const DETAILS = `(SELECT coalesce(json_agg(json_build_object(
      'id', a.id, 'invoice', a.invoice_id, 'payer_name', coalesce(i.payer_name, u.first_name || ' ' || u.last_name),
      'invoice_status', i.status, 'amount_cents', a.amount_cents,
      'is_stale', a.payment_record_id IS NULL AND (i.status IN ('paid','void') OR i.balance_due_cents < a.amount_cents),
      'payment', a.payment_record_id, 'processor_payment_id', p.processor_payment_id) ORDER BY a.id), '[]')
    FROM chapter_remittance_allocations a
    JOIN chapter_invoices i ON i.organization_id = a.organization_id AND i.id = a.invoice_id
    LEFT JOIN memberships m ON m.organization_id = i.organization_id AND m.id = i.membership_id
    LEFT JOIN users u ON u.id = m.user_id
    LEFT JOIN payment_records p ON p.organization_id = a.organization_id AND p.id = a.payment_record_id
    WHERE a.organization_id = r.organization_id AND a.remittance_id = r.id) AS allocations,
  (SELECT coalesce(json_agg(json_build_object(
      'id', t.id, 'status', t.status, 'failure_code', t.failure_code, 'failure_message', t.failure_message,
      'created_at', t.created_at, 'finished_at', t.finished_at,
      'workflow_id', 'remittance-payment/' || t.remittance_id || '/' || t.id) ORDER BY t.id), '[]')
    FROM payment_attempts t WHERE t.organization_id = r.organization_id AND t.remittance_id = r.id) AS attempts`;

/** Reads one remittance with its allocations and attempts, or null. */
export async function readRemittance(id: string): Promise<RemittanceDetail | null> {
  const row = await firstJson<RemittanceDetail>(
    `SELECT ${COLUMNS}, ${DETAILS} FROM chapter_remittances r CROSS JOIN LATERAL ${REMITTANCE_STATE}
      WHERE r.organization_id = (SELECT app.org_id()) AND r.id = $1`,
    [id],
  );
  return row;
}

/** Returns the chapter of a remittance, by which policies decide on access; null when there is no such remittance. */
export async function readRemittanceChapter(id: string): Promise<string | null> {
  const row = await firstRow<{ chapter_id: string }>('SELECT chapter_id FROM chapter_remittances WHERE id = $1', [id]);
  return row?.chapter_id ?? null;
}

export interface RemittanceQuery extends PageRequest {
  /** Chapters that the reader may access; null: all chapters. */
  chapters: string[] | null;
  chapter: string | undefined;
  status: RemittanceStatus | undefined;
  orderBy: string;
}

/** Lists a page of remittances. */
export function listRemittances({
  chapters,
  chapter,
  status,
  orderBy,
  page,
  pageSize,
}: RemittanceQuery): Promise<Page<RemittanceRow>> {
  const where = ['r.organization_id = (SELECT app.org_id())'];
  const values: unknown[] = [];
  const add = (condition: string, value: unknown): void =>
    void where.push(condition.replace('?', `$${values.push(value)}`));
  if (chapters) add('r.chapter_id = ANY(?::uuid[])', chapters);
  if (chapter) add('r.chapter_id = ?', chapter);
  if (status) add('state.status = ?', status);
  return selectPage({
    from: `chapter_remittances r CROSS JOIN LATERAL ${REMITTANCE_STATE}`,
    join: `CROSS JOIN LATERAL ${REMITTANCE_STATE}`,
    where: where.join(' AND '),
    values,
    orderBy,
    key: 'r.id',
    select: COLUMNS,
    page,
    pageSize,
  });
}
