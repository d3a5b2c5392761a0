/**
 * A sign-in on its way: begun here, answered by the identity provider, used once. Shared by OAuth and SAML.
 *
 * OAuth: `flowId` is the `state`. SAML: `flowId` is the RelayState, which only says where the answer goes
 * (`platformOfFlow`), and `requestId` is the id of the AuthnRequest, which alone selects the flow (`takeFlow`).
 */
import { decrypt, encrypt } from '../../database/encryption.js';
import { firstRow, rows } from '../../database/rows.js';
import { inPlatform } from '../../database/tenancy.js';
import { uuidv7 } from '../../database/uuid.js';
import type { ActiveConnection } from './connections.js';
import type { SsoPlatform } from './redirects.js';
import { hashToken, newToken } from '../secretTokens.js';

export const FLOW_SECONDS = 10 * 60;
/** Enough to keep the table small: each new flow clears what has expired. */
const CLEARED_AT_ONCE = 100;

export interface NewFlow {
  connection: Pick<ActiveConnection, 'id'>;
  platform: SsoPlatform;
  /** RFC 7636 S256, 43 characters; native flows have one. */
  codeChallenge: string | null;
  /** The person has to prove themselves again, whatever session the provider has. */
  reauthenticate: boolean;
  /** SAML: id of the AuthnRequest. */
  requestId?: string;
  /** What only this flow's answer needs, for example a nonce: kept encrypted. */
  secrets?: Record<string, string>;
}

export interface Flow {
  connectionId: string;
  platform: SsoPlatform;
  codeChallenge: string | null;
  /** Digest of the token that the browser which began it has in its cookie. */
  browserHash: string;
  reauthenticate: boolean;
  secrets: Record<string, string>;
}

const place = (rowId: string) => ({ table: 'sso_flows', column: 'secrets_encrypted', rowId });

/** In a transaction of its own. @returns what the provider, and what the browser, gets to show again */
export async function beginFlow(flow: NewFlow): Promise<{ flowId: string; browserToken: string }> {
  const [id, flowId, browserToken] = [uuidv7(), newToken(), newToken()];
  await inPlatform(async () => {
    await rows(
      `DELETE FROM sso_flows WHERE id IN (SELECT id FROM sso_flows WHERE expires_at < now()
         LIMIT ${CLEARED_AT_ONCE} FOR UPDATE SKIP LOCKED)`,
    );
    await rows(
      `INSERT INTO sso_flows (id, connection_id, handle_hash, request_id_hash, platform, code_challenge, browser_hash,
                              reauthenticate, secrets_encrypted, expires_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, now() + $10 * interval '1 second')`,
      [
        id,
        flow.connection.id,
        hashToken(flowId),
        flow.requestId === undefined ? null : hashToken(flow.requestId),
        flow.platform,
        flow.codeChallenge,
        hashToken(browserToken),
        flow.reauthenticate,
        encrypt(JSON.stringify(flow.secrets ?? {}), place(id)),
        FLOW_SECONDS,
      ],
    );
  });
  return { flowId, browserToken };
}

interface Taken extends Omit<Flow, 'secrets'> {
  id: string;
  secrets_encrypted: string;
  is_fresh: boolean;
}

/** Deletes it, in a transaction of its own, before anything is checked. @returns null when unknown, used or expired */
export async function takeFlow(key: { flowId: string } | { requestId: string }): Promise<Flow | null> {
  const [column, value] = 'flowId' in key ? ['handle_hash', key.flowId] : ['request_id_hash', key.requestId];
  const taken = await inPlatform(() =>
    firstRow<Taken>(
      `DELETE FROM sso_flows WHERE ${column} = $1
       RETURNING id, connection_id AS "connectionId", platform, code_challenge AS "codeChallenge",
                 browser_hash AS "browserHash", reauthenticate, secrets_encrypted, expires_at > now() AS is_fresh`,
      [hashToken(value)],
    ),
  );
  if (!taken?.is_fresh) return null;
  const { id, secrets_encrypted, is_fresh: _, ...flow } = taken;
  return { ...flow, secrets: JSON.parse(decrypt(secrets_encrypted, place(id))) as Record<string, string> };
}

/** Which callback a flow's answer goes to, without using it up. @returns null for one that is unknown, expired or forged */
export async function platformOfFlow(flowId: string): Promise<SsoPlatform | null> {
  const found = await inPlatform(
    () =>
      firstRow<{ platform: SsoPlatform }>(
        'SELECT platform FROM sso_flows WHERE handle_hash = $1 AND expires_at > now()',
        [hashToken(flowId)],
      ),
    { readOnly: true },
  );
  return found?.platform ?? null;
}
