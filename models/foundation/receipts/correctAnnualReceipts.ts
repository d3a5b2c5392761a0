/** Keeps annual receipts true: a later refund, dispute, gift or name replaces or voids them. */
import { isDeepStrictEqual } from 'node:util';
import { donationReceipt } from '../../../workflows/contracts/index.js';
import { enqueue } from '../../database/outbox.js';
import { currentOrganization, rows } from '../../database/rows.js';
import {
  type AnnualGifts,
  insertAnnualReceipt,
  type LastAnnualReceipt,
  lockDonors,
  readAnnualGifts,
  readIssuer,
} from './annualReceipts.js';
import { endReceipt } from './insertReceipt.js';

/**
 * Updates the annual receipt of a donor and year in the open transaction: replaces it if the gifts, the kept amounts or
 * the donor's name differ, and voids it if no kept gift is left. A donor without an annual receipt of that year gets none
 * here, but from a run. The caller has locked the donor.
 */
export async function correctAnnualReceipt(donorId: string, taxYear: number): Promise<void> {
  const last = (await readLastAnnualReceipts([donorId], taxYear)).get(donorId);
  if (!last) return;
  const [read] = await readAnnualGifts([donorId], taxYear);
  const current = read && describedAs(last, read);
  if (last.status === 'valid') {
    if (current && isSame(last, current)) return;
    await endReceipt(last, current ? 'superseded' : 'void');
  }
  if (!current) return;
  const receiptId = await insertAnnualReceipt(await readIssuer(), current, { taxYear, runId: null, last });
  await enqueue(donationReceipt, { receiptId });
}

/** Corrects the annual receipts of all years of a donor, for example after the name was corrected. Locks the donor. */
export async function correctAnnualReceiptsOfDonor(donorId: string): Promise<void> {
  await lockDonors([donorId]);
  const years = await rows<{ tax_year: number }>(
    `SELECT DISTINCT tax_year FROM tax_receipts
      WHERE organization_id = $1 AND donor_id = $2 AND donation_id IS NULL ORDER BY tax_year`,
    [currentOrganization(), donorId],
  );
  for (const { tax_year } of years) await correctAnnualReceipt(donorId, tax_year);
}

/** Reads the latest annual receipt of each donor, which no other receipt replaces, by the donor's id. */
export async function readLastAnnualReceipts(
  donorIds: readonly string[],
  taxYear: number,
): Promise<Map<string, LastAnnualReceipt>> {
  const found = await rows<LastAnnualReceipt & { donor_id: string }>(
    `SELECT r.donor_id, r.id, r.number, r.status, r.amount_cents, r.printed FROM tax_receipts r
      WHERE r.organization_id = $1 AND r.donor_id = ANY ($2) AND r.tax_year = $3 AND r.donation_id IS NULL
        AND NOT EXISTS (SELECT FROM tax_receipts s WHERE s.organization_id = $1 AND s.replaces = r.id)`,
    [currentOrganization(), donorIds, taxYear],
  );
  return new Map(found.map((receipt) => [receipt.donor_id, receipt]));
}

/**
 * Repeats the day, the campaign or fund, and the goods of each gift as the earlier receipt printed them. The name of an
 * erased donor is stored on receipts only.
 */
function describedAs({ printed }: LastAnnualReceipt, annual: AnnualGifts): AnnualGifts {
  const earlier = new Map(printed.gifts.map((gift) => [gift.donation, gift]));
  const gifts = annual.gifts.map((gift) => {
    const { given_on, campaign, fund, goods } = earlier.get(gift.donation) ?? gift;
    return { ...gift, given_on, campaign, fund, goods };
  });
  return { ...annual, donor_name: annual.is_erased ? printed.donor_name : annual.donor_name, gifts };
}

const isSame = ({ printed }: LastAnnualReceipt, { donor_name, gifts }: AnnualGifts): boolean =>
  printed.donor_name === donor_name && isDeepStrictEqual(printed.gifts, gifts);
