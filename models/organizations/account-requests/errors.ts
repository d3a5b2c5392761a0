import { defineErrors } from '../../errors.js';

export const accountRequestErrors = defineErrors({
  request_unverified: [409, 'The requester has not verified their email address yet.'],
  request_token_invalid: [400, 'This link is not valid, was used before, or has expired.'],
  possible_duplicate: [
    409,
    'A member has a similar name. Link the address to that member, or set confirm_distinct if they are two people.',
  ],
  name_mismatch: [
    409,
    'The name in the request differs from the name of this user. If they are the same person, set confirm_name_mismatch and give the reason in notes.',
  ],
  link_not_allowed: [422, 'An address cannot be linked to the account of an administrator.'],
});
