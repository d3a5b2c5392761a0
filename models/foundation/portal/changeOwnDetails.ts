import { editRow, lockForEdit } from '../../database/model/change.js';
import { Donor } from '../donations/Donor.js';
import { foundationErrors } from '../errors.js';

/** Details that donors change themselves. */
export interface OwnDetails {
  first_name: string;
  last_name: string;
  /** The preference for gifts that do not say whether they are anonymous. */
  is_anonymous: boolean;
}

/**
 * Changes a donor's name and the preference for anonymity. Gifts that were made before keep their own name and
 * anonymity, and so do their receipts: only an admin of the foundation corrects those. A name that an admin has
 * corrected is printed on receipts, so the donor can no longer change it.
 * @throws Refusal not_found, donor_name_corrected
 */
export async function changeOwnDetails(donorId: string, details: OwnDetails): Promise<void> {
  const donor = await lockForEdit(Donor, donorId);
  const isRenamed = details.first_name !== donor.first_name || details.last_name !== donor.last_name;
  if (isRenamed && donor.name_corrected_at !== null) throw foundationErrors.donor_name_corrected();
  await editRow(donor, { ...details });
}
