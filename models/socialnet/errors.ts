/** Refusals of linking an account of the professional network. */
import { defineErrors } from '../errors.js';

export const socialnetErrors = defineErrors({
  socialnet_state_invalid: [400, 'You did not start this link, or it has expired or was already used. Start again.'],
  socialnet_redirect_uri_mismatch: [400, 'The redirect_uri differs from the one with which this link was started.'],
  socialnet_verifier_invalid: [400, 'The code_verifier does not belong to this link. Start again.'],
  socialnet_code_refused: [400, 'The network did not accept this code. Start again.'],
  socialnet_account_taken: [409, 'This account of the network is linked to another person.'],
  socialnet_other_account_linked: [409, 'You have linked another account of the network. Remove it first.'],
  socialnet_not_configured: [503, 'No professional network is connected to this platform.'],
  socialnet_unavailable: [503, 'The professional network does not respond. Try again later.'],
});
