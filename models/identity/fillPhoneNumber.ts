/** SQL of whether the account `u` has no telephone number. */
export const NO_PHONE_NUMBER = `coalesce(btrim(u.phone_number), '') = ''`;

/**
 * Gives the account of the person `$2` the telephone number of `given` where it has none: a person's own word stands. Whoever
 * has no account yet is left for later. A part of one statement, as those of `organizations/lifecycle/carryForward.ts`.
 */
export const FILL_PHONE_NUMBER = `
  UPDATE users u SET phone_number = given.phone_number FROM given
   WHERE u.id = $2 AND u.placeholder_in IS NULL AND given.phone_number IS NOT NULL AND ${NO_PHONE_NUMBER}
   RETURNING ARRAY['phone_number'] AS fields`;
