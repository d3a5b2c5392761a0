import { identityErrors } from '../../../models/identity/errors.js';
import { impersonationErrors } from '../../../models/identity/impersonation/errors.js';
import type { RefreshedImpersonation } from '../../../models/identity/impersonation/refreshImpersonation.js';
import { Answer } from '../../http/routes.js';
import { withTokens } from '../credentials.js';
import { CLEARED_RESTORE_COOKIE } from './restoreCookie.js';

const REFUSALS = {
  unproven: impersonationErrors.restore_token_invalid,
  session_ended: identityErrors.session_ended,
  reused: identityErrors.refresh_token_reused,
  invalid: identityErrors.refresh_token_invalid,
};

/**
 * Builds the response for an admin whose impersonation has ended: their own tokens, and a cleared restore cookie.
 * @throws Refusal restore_token_invalid, session_ended, refresh_token_reused, refresh_token_invalid
 */
export function answerRestored<Body extends object>(
  result: Exclude<RefreshedImpersonation, { outcome: 'goes_on' }>,
  body: Body,
  headers: Record<string, string> = {},
) {
  if (result.outcome !== 'restored') throw REFUSALS[result.outcome]();
  const answer = withTokens(body, result.client, result.tokens);
  return new Answer(answer.body, {
    headers,
    cookies: [...(answer.extra.cookies ?? []), CLEARED_RESTORE_COOKIE],
  });
}
