/** Refusals of linking an account of the professional network. */
import { defineErrors } from '../errors.js';

export const socialnetErrors = defineErrors({
  socialnet_state_invalid: [
    400,
    'You did not start to link this account, or the attempt has expired or was already used. Start again.',
  ],
  socialnet_redirect_uri_mismatch: [
    400,
    'The redirect_uri is not the one with which you started to link the account. Start again.',
  ],
  socialnet_verifier_invalid: [
    400,
    'The code_verifier does not match the code_challenge with which you started to link the account. Start again.',
  ],
  socialnet_code_refused: [400, 'The network did not accept this code. Start again.'],
  socialnet_account_taken: [409, 'This account on the professional network is already linked to another person.'],
  socialnet_other_account_linked: [
    409,
    'You have already linked another account on the professional network. Remove that link first.',
  ],
  socialnet_not_configured: [503, 'No professional network is connected to this platform.'],
  socialnet_unavailable: [503, 'The professional network does not respond. Try again later.'],
});
