import { type Page, type PageRequest, selectPage } from '../../database/page.js';

export interface Shortfall {
  id: string;
  chapter: string;
  chapter_name: string;
  member: string | null;
  /** The amount of the shortfall when it was recorded. */
  amount_cents: number;
  /** The payer's total shortfall now. */
  shortfall_cents: number;
  invoice: string | null;
  payment: string | null;
  created_at: string;
}

/** Lists the shortfalls of payers who still have one, newest first. */
export const listShortfalls = (page: PageRequest): Promise<Page<Shortfall>> =>
  selectPage<Shortfall>({
    from: 'chapter_account_credits k',
    where: `k.organization_id = (SELECT app.org_id()) AND k.kind = 'shortfall'
       AND app.credit_shortfall(k.organization_id, k.chapter_id, k.membership_id) > 0`,
    values: [],
    orderBy: 'k.id DESC',
    key: 'k.id',
    join: 'JOIN chapters c ON c.organization_id = k.organization_id AND c.id = k.chapter_id',
    select: `k.id, k.chapter_id AS chapter, c.name AS chapter_name, k.membership_id AS member, k.amount_cents,
      app.credit_shortfall(k.organization_id, k.chapter_id, k.membership_id) AS shortfall_cents,
      k.invoice_id AS invoice, k.payment_record_id AS payment, k.created_at`,
    ...page,
  });
