import { currentOrganization, oneRow } from '../../database/rows.js';
import { planOf } from '../dues-runs/plan.js';
import type { BillingMode } from '../dues-settings/OrgDuesSettings.js';
import { financesErrors } from '../errors.js';
import type { ChapterInvoice } from '../invoices/ChapterInvoice.js';

/** A line of dues, as a run would issue it now. */
export interface DuesLine {
  status: string;
  quantity: number;
  unit_amount_cents: number;
}

/**
 * What dues come to now, by status, member count and rate of their term, for the payer of an invoice that has just been voided: as a
 * dues run would plan it, so whoever has an invoice of their own does not count in their chapter's.
 * @throws Refusal billing_mode_changed, nothing_to_issue
 */
export async function replacementLines({
  chapter_id,
  term_id,
  payer_type,
  membership_id,
}: ChapterInvoice): Promise<DuesLine[]> {
  const { billing_mode, lines } = await oneRow<{ billing_mode: BillingMode | null; lines: DuesLine[] }>(
    `WITH ${planOf('m.chapter_id = $3')}
     SELECT (SELECT billing_mode FROM mode WHERE chapter_id = $3) AS billing_mode,
            (SELECT coalesce(json_agg(json_build_object('status', status, 'quantity', quantity, 'unit_amount_cents', amount_cents)
                      ORDER BY status COLLATE "C"), '[]')
               FROM plan WHERE chapter_id = $3 AND membership_id IS NOT DISTINCT FROM $4::uuid) AS lines`,
    [currentOrganization(), term_id, chapter_id, membership_id],
  );
  // A chapter that is not active has none: it is not billed.
  if (billing_mode && billing_mode !== `bill_${payer_type}`) throw financesErrors.billing_mode_changed();
  if (lines.length === 0) throw financesErrors.nothing_to_issue('This payer is not billed in this term any more.');
  return lines;
}
