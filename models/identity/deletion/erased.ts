import { ERASED_DOMAIN as DOMAIN } from '../../fields.js';

/** SQL for the address that an erased account gets in `users`; it contains the account's id, so that it is unique. */
export const ERASED_ADDRESS = `'erased-' || id || '@${DOMAIN}'`;

/** SQL condition: the account of a row of `users` is erased. */
export const isErased = (user: string): string => `coalesce(${user}.email LIKE 'erased-%@${DOMAIN}', false)`;

/**
 * SQL for the address of a row of `users` that API responses, lists and files show: null for an erased account, and the
 * typed address for a placeholder. Never look up an account by this address, because it does not identify a person.
 */
export const shownEmail = (user: string): string =>
  `CASE WHEN NOT ${isErased(user)} THEN coalesce(${user}.email, ${user}.typed_email) END`;
