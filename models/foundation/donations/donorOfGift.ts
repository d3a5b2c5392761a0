/** SQL that finds the donor of a gift by the e-mail address, or inserts one. */

/**
 * Finds the account with this verified address, if its person belongs to the organization of foundation `f`. An address
 * that another organization has linked to the account does not count.
 * @param email the bound value of the address
 */
export const userOfEmail = (email: string): string => `(
  SELECT e.user_id FROM user_emails e JOIN users u ON u.id = e.user_id AND u.disabled_at IS NULL
   WHERE e.email = ${email} AND e.is_verified AND coalesce(e.linked_in, f.organization_id) = f.organization_id
     AND EXISTS (SELECT FROM affiliations s WHERE s.organization_id = f.organization_id AND s.user_id = e.user_id))`;

/**
 * Common table expressions for the donor of a gift. A known donor keeps the stored name and contact, and is linked to the
 * account if it has none. Bound values: $1 organization, $2 e-mail address, $3 id of a new donor, $4 first name, $5 last
 * name, $6 phone, $7 address, $8 account.
 */
export const DONOR_OF_GIFT = `known AS (SELECT id, is_anonymous FROM donors WHERE organization_id = $1 AND email = $2),
     added AS (
       INSERT INTO donors (id, organization_id, email, first_name, last_name, phone, address, user_id)
       SELECT $3, $1, $2, $4, $5, $6, $7, $8 WHERE NOT EXISTS (SELECT FROM known)
       ON CONFLICT ON CONSTRAINT donors_email_unique DO UPDATE SET updated_at = donors.updated_at RETURNING id),
     linked AS (
       UPDATE donors SET user_id = $8 WHERE id IN (SELECT id FROM known) AND user_id IS NULL AND $8::uuid IS NOT NULL)`;

/** The id of the donor that `DONOR_OF_GIFT` finds or inserts. */
export const DONOR_ID = '(SELECT id FROM known UNION ALL SELECT id FROM added)';
