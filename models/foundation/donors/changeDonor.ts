import { type Edit, editRow, lockExclusive, now } from '../../database/model/change.js';
import { readRow, type ShownRow } from '../../database/model/read.js';
import { currentOrganization, firstRow, rows } from '../../database/rows.js';
import { requireFound } from '../../errors.js';
import { writeNotice } from '../../identity/notices/enqueueNotice.js';
import { copyOptout } from '../bulletins/unsubscribe.js';
import { Donor } from '../donations/Donor.js';
import { userOfEmail } from '../donations/donorOfGift.js';
import { foundationErrors } from '../errors.js';
import { endDonorAccess } from '../portal/endDonorAccess.js';
import { correctReceiptsOfDonor } from '../receipts/correctReceiptsOfDonor.js';

export type DonorEdit = Pick<Edit<Donor>, 'email' | 'first_name' | 'last_name' | 'phone' | 'address'>;

/**
 * Changes a donor. After a name, all valid receipts print it: those with another name are replaced. After an e-mail
 * address, the old address is notified, the new one is unsubscribed from bulletins if the old one was, and the donor is
 * linked to the account of the new address, if there is one.
 * @throws Refusal not_found, donor_erased, duplicate
 */
export async function changeDonor(id: string, edit: DonorEdit): Promise<ShownRow<typeof Donor>> {
  const isNamed = edit.first_name !== undefined || edit.last_name !== undefined;
  // Gifts are locked before their donor, as by every transaction. The receipts that are replaced refer to them.
  if (isNamed) await lockReceiptedGifts(id);
  const donor = requireFound(await lockExclusive(Donor, id));
  if (donor.erased_at) throw foundationErrors.donor_erased();
  const formerEmail = donor.email;
  const hasNewEmail = edit.email != null && edit.email !== formerEmail;
  const { name, user_id } = await readFoundation(edit.email ?? null);
  await editRow(donor, {
    ...edit,
    ...(isNamed && { name_corrected_at: now }),
    ...(hasNewEmail && { user_id }),
  });
  if (hasNewEmail) await endDonorAccess([id]);
  if (hasNewEmail && formerEmail !== null) {
    await copyOptout(formerEmail, edit.email as string);
    await writeNotice({ userId: null, kind: 'donor_email_changed', email: formerEmail, facts: { organization: name } });
  }
  if (isNamed) await correctReceiptsOfDonor(id);
  return readRow(Donor, id);
}

const lockReceiptedGifts = (donorId: string): Promise<unknown> =>
  rows(
    `SELECT FROM donations d WHERE d.organization_id = $1 AND d.id IN (
       SELECT donation_id FROM tax_receipts WHERE organization_id = $1 AND donor_id = $2 AND status = 'valid')
      ORDER BY d.id FOR KEY SHARE OF d`,
    [currentOrganization(), donorId],
  );

/** Returns the name of the foundation, and the account of a new address of a donor. */
async function readFoundation(email: string | null): Promise<{ name: string; user_id: string | null }> {
  const found = await firstRow<{ name: string; user_id: string | null }>(
    `SELECT f.name, ${userOfEmail('$2')} AS user_id FROM foundation_configs f WHERE f.organization_id = $1`,
    [currentOrganization(), email],
  );
  return requireFound(found);
}
