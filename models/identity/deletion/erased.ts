import { ERASED_DOMAIN as DOMAIN } from '../../fields.js';

/** SQL of the address that a row of `users` has once its account is erased: nobody's, and its own. */
export const ERASED_ADDRESS = `'erased-' || id || '@${DOMAIN}'`;

/** SQL: whether the account of a row of `users` is erased. */
export const isErased = (user: string): string => `coalesce(${user}.email LIKE 'erased-%@${DOMAIN}', false)`;

/**
 * SQL: the address that answers, lists and files show of a row of `users`: null once the account is erased, and what was typed while
 * it is a placeholder. It does not prove who somebody is: never look up an account by it.
 */
export const shownEmail = (user: string): string =>
  `CASE WHEN NOT ${isErased(user)} THEN coalesce(${user}.email, ${user}.typed_email) END`;
