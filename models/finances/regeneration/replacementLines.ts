import { currentOrganization, oneRow } from '../../database/rows.js';
import { duesPlanSql } from '../dues-runs/plan.js';
import type { BillingMode } from '../dues-settings/OrgDuesSettings.js';
import { financesErrors } from '../errors.js';
import type { ChapterInvoice } from '../invoices/ChapterInvoice.js';

/** A line of dues as a dues run would issue it now. */
export interface DuesLine {
  status: string;
  quantity: number;
  unit_amount_cents: number;
}

/**
 * Plans the dues of the payer of an invoice that was just voided. Statuses, member counts and rates are the current
 * ones of the term, as in a dues run. A member who has their own invoice does not count in the chapter's invoice.
 * @throws Refusal billing_mode_changed, nothing_to_issue
 */
export async function planReplacementLines({
  chapter_id,
  term_id,
  payer_type,
  membership_id,
}: ChapterInvoice): Promise<DuesLine[]> {
  const { billing_mode, lines } = await oneRow<{ billing_mode: BillingMode | null; lines: DuesLine[] }>(
    `WITH ${duesPlanSql('m.chapter_id = $3')}
     SELECT (SELECT billing_mode FROM mode WHERE chapter_id = $3) AS billing_mode,
            (SELECT coalesce(json_agg(json_build_object('status', status, 'quantity', quantity, 'unit_amount_cents', amount_cents)
                      ORDER BY status COLLATE "C"), '[]')
               FROM plan WHERE chapter_id = $3 AND membership_id IS NOT DISTINCT FROM $4::uuid) AS lines`,
    [currentOrganization(), term_id, chapter_id, membership_id],
  );
  // An inactive chapter is not billed and has no billing mode here. Its plan has no lines, so it is refused by the
  // second check.
  if (billing_mode && billing_mode !== `bill_${payer_type}`) throw financesErrors.billing_mode_changed();
  if (lines.length === 0)
    throw financesErrors.nothing_to_issue(
      'This invoice cannot be reissued, because its payer is no longer billed in this term.',
    );
  return lines;
}
