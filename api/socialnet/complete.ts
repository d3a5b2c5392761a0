/** Completes a link: checks the state, then redeems the code at the network, then links the account. */
import { CodeRefused, NetworkUnavailable } from '../../gateways/socialnet/port.js';
import { professionalNetwork } from '../../gateways/socialnet/network.js';
import { inPlatform, inTenantIfAny } from '../../models/database/tenancy.js';
import type { Actor } from '../../models/identity/Actor.js';
import { readAccount } from '../../models/socialnet/accounts.js';
import { checkFlow } from '../../models/socialnet/checkFlow.js';
import { socialnetErrors } from '../../models/socialnet/errors.js';
import { consumeFlow } from '../../models/socialnet/flows.js';
import { linkAccount } from '../../models/socialnet/linkAccount.js';
import { log } from '../../models/log.js';
import { ownTransaction } from '../http/dispatch.js';
import type { RequestFacts } from '../http/routes.js';

interface CallbackInput {
  code: string;
  state: string;
  redirect_uri?: string | undefined;
  code_verifier?: string | undefined;
}

/**
 * Returns the configured network.
 * @throws Refusal socialnet_not_configured
 */
export function requireNetwork() {
  const network = professionalNetwork();
  if (!network) throw socialnetErrors.socialnet_not_configured();
  return network;
}

/**
 * Completes a link in its own transactions: none may be open during the request to the network, and the state must stay
 * deleted even if a later step is refused.
 * @returns the linked account
 */
export async function completeLink({ code, state, ...returned }: CallbackInput, actor: Actor, request: RequestFacts) {
  const network = requireNetwork();
  const { userId, sessionId } = actor;
  const flow = await inPlatform(() => consumeFlow(state));
  const { redirectUri } = checkFlow(flow, {
    userId,
    redirectUri: returned.redirect_uri,
    codeVerifier: returned.code_verifier,
  });
  const account = await redeem(network, { code, redirectUri }, request);
  const work = async () => readAccount(userId, await linkAccount({ userId, sessionId, account }));
  return inTenantIfAny(actor.facts.organization_id, work, ownTransaction(request, actor));
}

type Network = ReturnType<typeof requireNetwork>;

async function redeem(network: Network, answer: { code: string; redirectUri: string }, { id }: RequestFacts) {
  try {
    return await network.redeem(answer);
  } catch (error) {
    if (error instanceof CodeRefused) {
      const { detail } = socialnetErrors.socialnet_code_refused;
      throw socialnetErrors.socialnet_code_refused(undefined, { code: [detail] });
    }
    if (!(error instanceof NetworkUnavailable)) throw error;
    log.warn({ part: 'socialnet', code: error.code, requestId: id }, 'the professional network did not answer');
    throw socialnetErrors.socialnet_unavailable(undefined, undefined, { 'Retry-After': '30' });
  }
}
