/** A one-time code against a session. */
import type { Origin } from '../../database/connection.js';
import { firstRow } from '../../database/rows.js';
import { inPlatform, inTenant } from '../../database/tenancy.js';
import type { Account, AccountOrganization } from '../accounts.js';
import { type Device, startSession } from '../startSession.js';
import type { SessionTokens } from '../tokens.js';
import { STANDS } from './bindIdentity.js';
import { findConnectionById, type SsoConnection } from './connections.js';
import type { ProviderName } from './provenIdentity.js';
import { type RefusalReason, ssoErrors } from './errors.js';
import { recordRefusal } from './refusals.js';
import type { SsoPlatform } from './redirects.js';
import { hashToken, matches } from '../secretTokens.js';

export interface Exchange {
  code: string;
  codeVerifier: string | null;
  /** The values of the browser's flow cookies. */
  browserTokens: readonly string[];
  device: Device;
  origin: Origin;
}

export interface Exchanged {
  account: Account;
  organization: AccountOrganization;
  client: SsoPlatform;
  tokens: SessionTokens;
  /** Of the flow that is over now. */
  browserHash: string;
}

interface Entry {
  connection_id: string;
  user_id: string;
  platform: SsoPlatform;
  code_challenge: string | null;
  browser_hash: string;
  authenticated_at: Date | null;
  provider_session: string | null;
  provider_name: ProviderName | null;
  is_fresh: boolean;
}

/** RFC 7636, 4.1: our clients make 43 characters. */
const VERIFIER = /^[A-Za-z0-9._~-]{43}$/;

/**
 * The code is deleted before anything is checked: a wrong verifier leaves none to try again with.
 * Of two at once, one gets the session. @throws Refusal sso_code_invalid, sso_access_ended
 */
export async function exchangeCode(exchange: Exchange): Promise<Exchanged> {
  const { code, device, origin } = exchange;
  const entry = await takeCode(code);
  if (!entry) throw ssoErrors.sso_code_invalid();
  const refused = (reason: RefusalReason, detail?: string) =>
    recordRefusal({ connectionId: entry.connection_id, reason, detail, requestId: origin.requestId ?? 'unknown' });
  if (!entry.is_fresh || !isOwn(entry, exchange)) {
    await refused('code_refused', entry.is_fresh ? 'another_client' : 'expired');
    throw ssoErrors.sso_code_invalid();
  }
  const connection = await inPlatform(() => findConnectionById(entry.connection_id), { readOnly: true });
  // The flow says which client it is: tokens in a body are for apps alone, which have proven their verifier.
  const session = { ...device, client: entry.platform };
  const begun =
    connection && (await inTenant(connection.organization_id, () => begin(connection, entry, session), { origin }));
  if (!begun) {
    await refused(connection ? 'access_ended' : 'connection_inactive');
    throw ssoErrors.sso_access_ended();
  }
  return { ...begun, client: entry.platform, browserHash: entry.browser_hash };
}

const takeCode = (code: string): Promise<Entry | null> =>
  inPlatform(() =>
    firstRow<Entry>(
      `DELETE FROM sso_codes WHERE code_hash = $1
       RETURNING connection_id, user_id, platform, code_challenge, browser_hash, authenticated_at,
                 provider_session, CASE WHEN provider_name_id IS NOT NULL THEN
                   json_build_object('nameId', provider_name_id, 'attributes', provider_name_attributes) END AS provider_name,
                 expires_at > now() AS is_fresh`,
      [hashToken(code)],
    ),
  );

/** Whether it was this client that began the sign-in. */
function isOwn(entry: Entry, { codeVerifier, browserTokens }: Exchange): boolean {
  const { code_challenge: challenge } = entry;
  if (challenge !== null && !(VERIFIER.test(codeVerifier ?? '') && matches(codeVerifier, challenge))) return false;
  return entry.platform === 'native' || browserTokens.some((token) => matches(token, entry.browser_hash));
}

type Standing = Account & { organization: AccountOrganization };

/** @returns null when the person does not stand in the organization any more, or the connection was switched off */
async function begin(connection: SsoConnection, entry: Entry, device: Device) {
  const organizationId = connection.organization_id;
  const found = await firstRow<Standing>(
    `SELECT u.id, u.email, u.first_name, u.last_name, u.is_platform_admin, u.must_change_password,
            json_build_object('id', o.id, 'name', o.name, 'slug', o.slug) AS organization
       FROM users u, organizations o, sso_connections c
      WHERE u.id = $2 AND o.id = $1 AND c.organization_id = $1 AND c.id = $3 AND c.is_active AND ${STANDS}
      -- whoever switches it off meanwhile waits, and ends this session too
        FOR SHARE OF c`,
    [organizationId, entry.user_id, connection.id],
  );
  if (!found) return null;
  const { organization, ...account } = found;
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
