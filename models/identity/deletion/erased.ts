import { ERASED_DOMAIN as DOMAIN } from '../../fields.js';

/** SQL of the address that a row of `users` has once its account is erased: nobody's, and its own. */
export const ERASED_ADDRESS = `'erased-' || id || '@${DOMAIN}'`;

/** SQL: whether the account of a row of `users` is erased. */
export const isErased = (user: string): string => `coalesce(${user}.email LIKE 'erased-%@${DOMAIN}', false)`;
