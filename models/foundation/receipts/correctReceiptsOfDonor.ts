import { currentOrganization, rows } from '../../database/rows.js';
import { correctAnnualReceiptsOfDonor } from './correctAnnualReceipts.js';
import { correctReceipts } from './correctReceipts.js';

/**
 * Replaces the valid receipts, also annual ones, of a donor whose name was corrected, in the open transaction. The caller has locked the
 * donor, so that no receipt with the old name is issued meanwhile.
 */
export async function correctReceiptsOfDonor(donorId: string): Promise<void> {
  const gifts = await rows<{ donation_id: string }>(
    `SELECT donation_id FROM tax_receipts
      WHERE organization_id = $1 AND donor_id = $2 AND status = 'valid' AND donation_id IS NOT NULL ORDER BY id`,
    [currentOrganization(), donorId],
  );
  for (const { donation_id } of gifts) await correctReceipts(donation_id);
  await correctAnnualReceiptsOfDonor(donorId);
}
