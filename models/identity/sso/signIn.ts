/**
 * Completes a sign-in through an identity provider: sends the browser back to the client that began the sign-in, with a
 * one-time code or an error.
 */
import type { Origin } from '../../database/connection.js';
import { rows } from '../../database/rows.js';
import { inPlatform, inTenant } from '../../database/tenancy.js';
import { bindIdentity } from './bindIdentity.js';
import { findConnectionById } from './connections.js';
import type { Flow } from './flows.js';
import { isStorable, type ProvenIdentity } from './provenIdentity.js';
import { callbackWith } from './redirects.js';
import { SignInRefused } from './signInRefused.js';
import { hashToken, newToken } from '../secretTokens.js';

const CODE_SECONDS = 60;
const CLEANUP_BATCH_SIZE = 100;

/**
 * Finds, links or creates the account (`bindIdentity`) and stores a one-time code, in a transaction of its own.
 * @param flow from `consumeFlow`; a native flow needs a code challenge
 * @param origin for the audit log
 * @returns the URL of the callback, with the code
 * @throws SignInRefused
 */
export async function completeSignIn(flow: Flow, proven: ProvenIdentity, origin?: Origin): Promise<string> {
  const connection = await inPlatform(() => findConnectionById(flow.connectionId), { readOnly: true });
  if (!connection) throw new SignInRefused('connection_inactive', flow);
  if (!isStorable(proven)) throw new SignInRefused('response_invalid', { ...flow, detail: 'unusable_text' });
  if (flow.platform === 'native' && flow.codeChallenge === null) {
    throw new SignInRefused('response_invalid', { connectionId: flow.connectionId, detail: 'no_challenge' });
  }
  if (flow.reauthenticate && proven.authenticatedAt === null)
    throw new SignInRefused('reauthentication_unproven', flow);
  const code = newToken();
  const binding = await inTenant(
    connection.organization_id,
    async () => {
      const result = await bindIdentity(connection, proven);
      if ('userId' in result) await storeCode(code, flow, result.userId, proven);
      return result;
    },
    origin ? { origin } : {},
  );
  // Thrown only after the transaction has committed, because the transaction records the refusal.
  if ('failure' in binding) throw new SignInRefused(binding.failure, flow);
  return callbackWith(flow.platform, 'code', code);
}

/**
 * Returns when the person authenticated, but only if a new authentication was requested. Otherwise the time is not
 * reliable, because some providers report a silent sign-in as a new authentication.
 */
const provenAt = ({ reauthenticate }: Flow, { authenticatedAt }: ProvenIdentity) =>
  reauthenticate ? authenticatedAt : null;

async function storeCode(code: string, flow: Flow, userId: string, proven: ProvenIdentity): Promise<void> {
  const { providerName, providerSessionId } = proven;
  await rows(
    `DELETE FROM sso_codes WHERE code_hash IN (SELECT code_hash FROM sso_codes WHERE expires_at < now()
       LIMIT ${CLEANUP_BATCH_SIZE} FOR UPDATE SKIP LOCKED)`,
  );
  await rows(
    `INSERT INTO sso_codes (code_hash, connection_id, user_id, platform, code_challenge, browser_hash,
                            authenticated_at, provider_session, expires_at, provider_name_id, provider_name_attributes)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, now() + $9 * interval '1 second', $10, $11)`,
    [
      hashToken(code),
      flow.connectionId,
      userId,
      flow.platform,
      flow.codeChallenge,
      flow.browserHash,
      provenAt(flow, proven),
      providerSessionId,
      CODE_SECONDS,
      providerName?.nameId ?? null,
      providerName && JSON.stringify(providerName.attributes),
    ],
  );
}
