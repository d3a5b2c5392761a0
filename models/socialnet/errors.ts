/** What linking an account of the professional network refuses. */
import { defineErrors } from '../errors.js';

export const socialnetErrors = defineErrors({
  socialnet_state_invalid: [400, 'This link was not begun by you, has expired, or was used before. Begin again.'],
  socialnet_redirect_uri_mismatch: [400, 'The redirect_uri is not the one that this link was begun with.'],
  socialnet_verifier_invalid: [400, 'The code_verifier does not belong to this link. Begin again.'],
  socialnet_code_refused: [400, 'The network did not accept this code. Begin again.'],
  socialnet_account_taken: [409, 'This account of the network is linked to somebody else.'],
  socialnet_other_account_linked: [409, 'Another account of the network is linked to you. Remove it first.'],
  socialnet_not_configured: [503, 'No professional network is connected to this platform.'],
  socialnet_unavailable: [503, 'The professional network does not answer. Try again later.'],
});
