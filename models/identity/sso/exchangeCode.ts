/** Exchanges the one-time code of a completed SSO sign-in for a session. */
import type { Origin } from '../../database/connection.js';
import { firstRow, rows } from '../../database/rows.js';
import { inPlatform, inTenant } from '../../database/tenancy.js';
import type { Account, AccountOrganization } from '../accounts.js';
import { lockPerson } from '../lockPerson.js';
import { type Device, startSession } from '../startSession.js';
import type { SessionTokens } from '../tokens.js';
import { MAY_SIGN_IN } from './bindIdentity.js';
import { findConnectionById, type ActiveConnection } from './connections.js';
import type { ProviderName } from './provenIdentity.js';
import { type RefusalReason, ssoErrors } from './errors.js';
import { recordRefusal } from './refusals.js';
import type { SsoPlatform } from './redirects.js';
import { hashToken, matches } from '../secretTokens.js';

export interface CodeExchange {
  code: string;
  codeVerifier: string | null;
  /** The values of the cookies that identify the browser's pending sign-ins (flows). */
  browserTokens: readonly string[];
  device: Device;
  origin: Origin;
}

export interface ExchangeResult {
  account: Account;
  organization: AccountOrganization;
  client: SsoPlatform;
  tokens: SessionTokens;
  /** Hash of the browser's flow cookie, so that this cookie can be removed. */
  browserHash: string;
}

interface CodeRow {
  user_id: string;
  platform: SsoPlatform;
  code_challenge: string | null;
  browser_hash: string;
  authenticated_at: Date | null;
  provider_session: string | null;
  provider_name: ProviderName | null;
  is_fresh: boolean;
}

/**
 * The form of a PKCE code verifier (RFC 7636, 4.1). The RFC allows 43 to 128 characters; here it must have exactly 43.
 */
const VERIFIER = /^[A-Za-z0-9._~-]{43}$/;

type StartedSession = Pick<ExchangeResult, 'account' | 'organization' | 'tokens'>;
type Outcome = { entry: CodeRow; session: StartedSession } | { refused: RefusalReason; detail?: string } | null;

/**
 * Exchanges a one-time code for a session. The code is deleted before it is checked, so that a client cannot try
 * several verifiers. One transaction, with the person locked, deletes the code and starts the session: a concurrent
 * function that ends the person's sessions finds either the code or the session. Of two concurrent calls with the same
 * code, only one gets the session.
 * @throws Refusal sso_code_invalid, sso_access_ended
 */
export async function exchangeCode(exchange: CodeExchange): Promise<ExchangeResult> {
  const { code, origin } = exchange;
  const issuedCode = await inPlatform(() => findCode(code), { readOnly: true });
  // A refusal is returned as an outcome and not thrown, so that the transaction commits and the code stays used up.
  const outcome =
    issuedCode && (await inTenant(issuedCode.organization_id, () => useCode(exchange, issuedCode), { origin }));
  if (!outcome) throw ssoErrors.sso_code_invalid();
  if ('refused' in outcome) {
    const { refused: reason, detail } = outcome;
    await recordRefusal({
      connectionId: issuedCode?.connection_id,
      reason,
      detail,
      requestId: origin.requestId ?? 'unknown',
    });
    throw reason === 'code_refused' ? ssoErrors.sso_code_invalid() : ssoErrors.sso_access_ended();
  }
  const { session, entry } = outcome;
  return { ...session, client: entry.platform, browserHash: entry.browser_hash };
}

interface IssuedCode {
  connection_id: string;
  organization_id: string;
  user_id: string;
}

const findCode = (code: string): Promise<IssuedCode | null> =>
  firstRow<IssuedCode>(
    `SELECT k.connection_id, c.organization_id, k.user_id
       FROM sso_codes k JOIN sso_connections c ON c.id = k.connection_id WHERE k.code_hash = $1`,
    [hashToken(code)],
  );

/**
 * Uses up a code and starts its session.
 * @returns null when a concurrent call has used the code
 */
async function useCode(exchange: CodeExchange, { connection_id, user_id }: IssuedCode): Promise<Outcome> {
  await lockPerson(user_id);
  // Locks the connection, so that a concurrent request that disables it waits and then also ends the new session. Such
  // a request also locks the connection before the sessions.
  await rows('SELECT FROM sso_connections WHERE id = $1 FOR SHARE', [connection_id]);
  const entry = await consumeCode(exchange.code);
  if (!entry) return null;
  if (!entry.is_fresh) return { refused: 'code_refused', detail: 'expired' };
  if (!isOwn(entry, exchange)) return { refused: 'code_refused', detail: 'another_client' };
  const connection = await findConnectionById(connection_id);
  if (!connection) return { refused: 'connection_inactive' };
  // The platform that began the sign-in decides how the tokens are returned, even if another client sends this request.
  // Only apps get tokens in the response body, because an app has proven with its verifier that it began the sign-in.
  const session = await beginSession(connection, entry, { ...exchange.device, client: entry.platform });
  return session ? { session, entry } : { refused: 'access_ended' };
}

const consumeCode = (code: string): Promise<CodeRow | null> =>
  firstRow<CodeRow>(
    `DELETE FROM sso_codes WHERE code_hash = $1
     RETURNING user_id, platform, code_challenge, browser_hash, authenticated_at,
               provider_session, CASE WHEN provider_name_id IS NOT NULL THEN
                 json_build_object('nameId', provider_name_id, 'attributes', provider_name_attributes) END AS provider_name,
               expires_at > now() AS is_fresh`,
    [hashToken(code)],
  );

/** Reports whether the client that presents the code is the one that began the sign-in. */
function isOwn(entry: CodeRow, { codeVerifier, browserTokens }: CodeExchange): boolean {
  const { code_challenge: challenge } = entry;
  if (challenge !== null && !(VERIFIER.test(codeVerifier ?? '') && matches(codeVerifier, challenge))) return false;
  return entry.platform === 'native' || browserTokens.some((token) => matches(token, entry.browser_hash));
}

type AccountInOrganization = Account & { organization: AccountOrganization };

/**
 * Starts the session.
 * @returns null when the person has lost access to the organization
 */
async function beginSession(
  connection: ActiveConnection,
  entry: CodeRow,
  device: Device,
): Promise<StartedSession | null> {
  const organizationId = connection.organization_id;
  const row = await firstRow<AccountInOrganization>(
    `SELECT u.id, u.email, u.first_name, u.last_name, u.is_platform_admin, u.must_change_password,
            json_build_object('id', o.id, 'name', o.name, 'slug', o.slug) AS organization
       FROM users u, organizations o WHERE u.id = $2 AND o.id = $1 AND ${MAY_SIGN_IN}`,
    [organizationId, entry.user_id],
  );
  if (!row) return null;
  const { organization, ...account } = row;
  const tokens = await startSession({
    userId: account.id,
    organizationId,
    device,
    method: connection.kind,
    confined: true,
    connectionId: connection.id,
    providerSessionId: entry.provider_session,
    providerName: entry.provider_name,
    provenAt: entry.authenticated_at,
  });
  return tokens && { account, organization, tokens };
}
