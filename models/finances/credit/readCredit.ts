import { type Page, type PageRequest, selectPage } from '../../database/page.js';
import { firstRow } from '../../database/rows.js';
import { refuse } from '../../errors.js';
import type { Payer } from './payer.js';

export const CREDIT_KINDS = [
  'issued',
  'applied',
  'refunded',
  'reversed',
  'shortfall',
  'recovered',
  'moved_out',
  'moved_in',
] as const;

export interface CreditEntry {
  id: string;
  kind: (typeof CREDIT_KINDS)[number];
  amount_cents: number;
  effect_cents: number;
  invoice: string | null;
  payment: string | null;
  reverses: string | null;
  reason: string;
  created_by: string | null;
  created_at: string;
}

export interface Credit extends Page<CreditEntry> {
  available_cents: number;
  /** Credit that is reserved for pending refunds. */
  reserved_cents: number;
  /**
   * Shortfall: credit that the payer had already spent when the payment behind it was refunded, and that no newer
   * credit has covered.
   */
  shortfall_cents: number;
}

const COLUMNS = `k.id, k.kind, k.amount_cents, app.credit_effect(k) AS effect_cents, k.invoice_id AS invoice, k.payment_record_id AS payment,
  k.reverses, k.reason, k.created_by, k.created_at`;

/**
 * Reads a payer's credit and a page of its ledger, newest first. @throws Refusal not_found for a payer who is not in
 * this tenant
 */
export async function readCredit({ chapterId, membershipId }: Payer, page: PageRequest): Promise<Credit> {
  const account = await firstRow<Pick<Credit, 'available_cents' | 'reserved_cents' | 'shortfall_cents'>>(
    `SELECT app.credit_balance($1, $2) AS available_cents, app.credit_reserved(c.organization_id, $1, $2) AS reserved_cents,
            app.credit_shortfall(c.organization_id, $1, $2) AS shortfall_cents
       FROM chapters c
      WHERE c.organization_id = (SELECT app.org_id()) AND c.id = $1
        AND ($2::uuid IS NULL OR EXISTS (SELECT 1 FROM memberships m
          WHERE m.organization_id = c.organization_id AND m.chapter_id = c.id AND m.id = $2))`,
    [chapterId, membershipId],
  );
  if (!account) throw refuse.not_found();
  const entries = await selectPage<CreditEntry>({
    from: 'chapter_account_credits k',
    where:
      'k.organization_id = (SELECT app.org_id()) AND k.chapter_id = $1 AND k.membership_id IS NOT DISTINCT FROM $2::uuid',
    values: [chapterId, membershipId],
    orderBy: 'k.id DESC',
    key: 'k.id',
    select: COLUMNS,
    ...page,
  });
  return { ...account, ...entries };
}
