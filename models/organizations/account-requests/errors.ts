import { defineErrors } from '../../errors.js';

export const accountRequestErrors = defineErrors({
  request_unverified: [409, 'Whoever asks has not proven the address yet.'],
  request_token_invalid: [400, 'This link is not valid, was used before, or has expired.'],
  possible_duplicate: [409, 'Somebody here has such a name. Link the address to them, or confirm that they are two.'],
  name_mismatch: [409, 'This person has another name. Confirm it, and say why, if they are the same.'],
  link_not_allowed: [422, 'No address is linked to the account of an administrator.'],
});
