import { editRow, lockForEdit } from '../../database/model/change.js';
import { currentOrganization, rows } from '../../database/rows.js';
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
 * Changes a donor's name and the preference for anonymity. They apply to future gifts, also to those of pledges. Gifts
 * that were made before keep their own name and anonymity, and so do their receipts: only an admin of the foundation
 * corrects those. A name that an admin has corrected is printed on receipts, so the donor can no longer change it.
 * @throws Refusal not_found, donor_name_corrected
 */
export async function changeOwnDetails(donorId: string, details: OwnDetails): Promise<void> {
  // Pledges are locked before their donor, as by every transaction.
  await changePledges(donorId, details);
  const donor = await lockForEdit(Donor, donorId);
  const isRenamed = details.first_name !== donor.first_name || details.last_name !== donor.last_name;
  if (isRenamed && donor.name_corrected_at !== null) throw foundationErrors.donor_name_corrected();
  await editRow(donor, { ...details });
}

/**
 * Changes future gifts of a donor's pledges. A pledge may have another name or anonymity than its donor, so only what the
 * donor changes is written.
 */
const changePledges = (donorId: string, { first_name, last_name, is_anonymous }: OwnDetails) =>
  rows(
    `WITH own AS MATERIALIZED (
       SELECT g.id, (o.first_name, o.last_name) IS DISTINCT FROM ($3::text, $4::text) AS is_renamed, o.is_anonymous <> $5 AS is_changed
         FROM recurring_pledges g JOIN donors o ON o.organization_id = g.organization_id AND o.id = g.donor_id
        WHERE g.organization_id = $1 AND g.donor_id = $2 AND g.status <> 'cancelled' ORDER BY g.id FOR UPDATE OF g)
     UPDATE recurring_pledges g
        SET first_name = CASE WHEN own.is_renamed THEN $3 ELSE g.first_name END,
            last_name = CASE WHEN own.is_renamed THEN $4 ELSE g.last_name END,
            is_anonymous = CASE WHEN own.is_changed THEN $5 ELSE g.is_anonymous END
       FROM own WHERE g.organization_id = $1 AND g.id = own.id AND (own.is_renamed OR own.is_changed)`,
    [currentOrganization(), donorId, first_name, last_name, is_anonymous],
  );
