import { audit } from '../../database/audit.js';
import { changeRow, lockExclusive, now } from '../../database/model/change.js';
import { readRow, type ShownRow } from '../../database/model/read.js';
import { currentOrganization, rows } from '../../database/rows.js';
import { refuse, requireFound } from '../../errors.js';
import { eraseMailsTo } from '../../notifications/mail/eraseMailsTo.js';
import { eraseRecipients } from '../bulletins/eraseRecipients.js';
import { Donor } from '../donations/Donor.js';
import { cancelPledgesOfDonor, hasLivePledgeOfDonor } from '../pledges/movePledge.js';
import { endDonorAccess } from '../portal/endDonorAccess.js';

/** Replaces the names of an erased donor. Gifts and receipts keep the names that they have. */
const ERASED_NAMES = { first_name: 'Erased', last_name: 'donor' };

/**
 * Erases a donor: cancels pledges, deletes name, contact, mails and the link to an account, and cancels mails of receipts that were not
 * sent yet. Gifts, their names and receipts are kept, as tax law requires. A second call changes nothing.
 * @throws Refusal not_found, locked
 */
export async function eraseDonor(id: string): Promise<ShownRow<typeof Donor>> {
  // Pledges are locked before their donor, as by every transaction.
  await cancelPledgesOfDonor(id);
  const { email } = requireFound(await lockExclusive(Donor, id));
  // A gift that was completed in the meantime has started a pledge, which cannot be locked after its donor.
  if (await hasLivePledgeOfDonor(id)) throw refuse.locked();
  if (email !== null) await erase(id, email);
  return readRow(Donor, id);
}

async function erase(id: string, email: string): Promise<void> {
  const contact = { email: null, phone: null, address: null, user_id: null };
  await changeRow(Donor, id, { ...ERASED_NAMES, ...contact, erased_at: now });
  await rows(
    `UPDATE tax_receipts SET mail_status = 'cancelled' WHERE organization_id = $1 AND donor_id = $2 AND mail_status = 'waiting'`,
    [currentOrganization(), id],
  );
  await endDonorAccess([id]);
  await eraseRecipients({ column: 'donor_id', id });
  await eraseMailsTo(email);
  await audit({ action: 'donor.erased', subjectType: 'donor', subjectId: id });
}
