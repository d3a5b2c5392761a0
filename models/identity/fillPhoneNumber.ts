/** SQL condition: account `u` has no telephone number. */
export const NO_PHONE_NUMBER = `coalesce(btrim(u.phone_number), '') = ''`;

/**
 * SQL for one part of a larger statement, like the parts in `organizations/lifecycle/carryForward.ts`. Copies the
 * telephone number of `given` to the account of person `$2` if the account has none. Never overwrites a number that the
 * person entered. Skips placeholders, which have no account yet.
 */
export const FILL_PHONE_NUMBER = `
  UPDATE users u SET phone_number = given.phone_number FROM given
   WHERE u.id = $2 AND u.placeholder_in IS NULL AND given.phone_number IS NOT NULL AND ${NO_PHONE_NUMBER}
   RETURNING ARRAY['phone_number'] AS fields`;
