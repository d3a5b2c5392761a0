/** A one-time code against a session. */
import type { Origin } from '../../database/connection.js';
import { firstRow, rows } from '../../database/rows.js';
import { inPlatform, inTenant } from '../../database/tenancy.js';
import type { Account, AccountOrganization } from '../accounts.js';
import { lockPerson } from '../lockPerson.js';
import { type Device, startSession } from '../startSession.js';
import type { SessionTokens } from '../tokens.js';
import { STANDS } from './bindIdentity.js';
import { findConnectionById, type ActiveConnection } from './connections.js';
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

type Begun = Pick<Exchanged, 'account' | 'organization' | 'tokens'>;
type Outcome = { entry: Entry; begun: Begun } | { refused: RefusalReason; detail?: string } | null;

/**
 * The code is deleted before anything is checked: a wrong verifier leaves none to try again with. It goes with the session
 * that it opens, in one transaction and with the person locked, so that whoever ends the person's sessions meanwhile finds
 * the one or the other. Of two at once, one gets the session. @throws Refusal sso_code_invalid, sso_access_ended
 */
export async function exchangeCode(exchange: Exchange): Promise<Exchanged> {
  const { code, origin } = exchange;
  const issued = await inPlatform(() => findCode(code), { readOnly: true });
  // What is refused is an outcome, not an exception: the code stays used up.
  const outcome = issued && (await inTenant(issued.organization_id, () => useCode(exchange, issued), { origin }));
  if (!outcome) throw ssoErrors.sso_code_invalid();
  if ('refused' in outcome) {
    const { refused: reason, detail } = outcome;
    await recordRefusal({
      connectionId: issued?.connection_id,
      reason,
      detail,
      requestId: origin.requestId ?? 'unknown',
    });
    throw reason === 'code_refused' ? ssoErrors.sso_code_invalid() : ssoErrors.sso_access_ended();
  }
  const { begun, entry } = outcome;
  return { ...begun, client: entry.platform, browserHash: entry.browser_hash };
}

interface Issued {
  connection_id: string;
  organization_id: string;
  user_id: string;
}

const findCode = (code: string): Promise<Issued | null> =>
  firstRow<Issued>(
    `SELECT k.connection_id, c.organization_id, k.user_id
       FROM sso_codes k JOIN sso_connections c ON c.id = k.connection_id WHERE k.code_hash = $1`,
    [hashToken(code)],
  );

/** @returns null for a code that is gone meanwhile */
async function useCode(exchange: Exchange, { connection_id, user_id }: Issued): Promise<Outcome> {
  await lockPerson(user_id);
  // Whoever switches it off meanwhile waits, and ends this session too. It is locked before what it began, as there.
  await rows('SELECT FROM sso_connections WHERE id = $1 FOR SHARE', [connection_id]);
  const entry = await takeCode(exchange.code);
  if (!entry) return null;
  if (!entry.is_fresh) return { refused: 'code_refused', detail: 'expired' };
  if (!isOwn(entry, exchange)) return { refused: 'code_refused', detail: 'another_client' };
  const connection = await findConnectionById(connection_id);
  if (!connection) return { refused: 'connection_inactive' };
  // The flow says which client it is: tokens in a body are for apps alone, which have proven their verifier.
  const begun = await begin(connection, entry, { ...exchange.device, client: entry.platform });
  return begun ? { begun, entry } : { refused: 'access_ended' };
}

const takeCode = (code: string): Promise<Entry | null> =>
  firstRow<Entry>(
    `DELETE FROM sso_codes WHERE code_hash = $1
     RETURNING user_id, platform, code_challenge, browser_hash, authenticated_at,
               provider_session, CASE WHEN provider_name_id IS NOT NULL THEN
                 json_build_object('nameId', provider_name_id, 'attributes', provider_name_attributes) END AS provider_name,
               expires_at > now() AS is_fresh`,
    [hashToken(code)],
  );

/** Whether it was this client that began the sign-in. */
function isOwn(entry: Entry, { codeVerifier, browserTokens }: Exchange): boolean {
  const { code_challenge: challenge } = entry;
  if (challenge !== null && !(VERIFIER.test(codeVerifier ?? '') && matches(codeVerifier, challenge))) return false;
  return entry.platform === 'native' || browserTokens.some((token) => matches(token, entry.browser_hash));
}

type Standing = Account & { organization: AccountOrganization };

/** @returns null when the person does not stand in the organization any more */
async function begin(connection: ActiveConnection, entry: Entry, device: Device): Promise<Begun | null> {
  const organizationId = connection.organization_id;
  const found = await firstRow<Standing>(
    `SELECT u.id, u.email, u.first_name, u.last_name, u.is_platform_admin, u.must_change_password,
            json_build_object('id', o.id, 'name', o.name, 'slug', o.slug) AS organization
       FROM users u, organizations o WHERE u.id = $2 AND o.id = $1 AND ${STANDS}`,
    [organizationId, entry.user_id],
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
