/**
 * A flow is a pending SSO sign-in. It begins when the browser is sent to the identity provider, and can be used once.
 * For OAuth, `flowId` is the `state` parameter. For SAML, the flow is found by `requestId`, the id of the AuthnRequest
 * (`consumeFlow`); `flowId` is the RelayState, which only tells to which callback the browser returns
 * (`platformOfFlow`).
 */
import { decrypt, encrypt } from '../../database/encryption.js';
import { firstRow, rows } from '../../database/rows.js';
import { inPlatform } from '../../database/tenancy.js';
import { uuidv7 } from '../../database/uuid.js';
import type { ActiveConnection } from './connections.js';
import type { SsoPlatform } from './redirects.js';
import { hashToken, newToken } from '../secretTokens.js';

export const FLOW_SECONDS = 10 * 60;
/** Each new flow deletes up to this many expired ones, which keeps the table small. */
const CLEANUP_BATCH_SIZE = 100;

export interface NewFlow {
  connection: Pick<ActiveConnection, 'id'>;
  platform: SsoPlatform;
  /** PKCE challenge (RFC 7636, S256), 43 characters. Native flows always have one. */
  codeChallenge: string | null;
  /** Whether the person must authenticate again, even with a session at the provider. */
  reauthenticate: boolean;
  /** SAML: id of the AuthnRequest. */
  requestId?: string;
  /** Values that are needed only when the provider responds, for example a nonce. Stored encrypted. */
  secrets?: Record<string, string>;
}

export interface Flow {
  connectionId: string;
  platform: SsoPlatform;
  codeChallenge: string | null;
  /** Digest of the token in the cookie of the browser that began the flow. */
  browserHash: string;
  reauthenticate: boolean;
  secrets: Record<string, string>;
}

const encryptionContext = (rowId: string) => ({ table: 'sso_flows', column: 'secrets_encrypted', rowId });

/**
 * Stores a new flow, in its own transaction.
 * @returns the flow id, which the provider sends back, and the token for the browser's cookie
 */
export async function beginFlow(flow: NewFlow): Promise<{ flowId: string; browserToken: string }> {
  const [id, flowId, browserToken] = [uuidv7(), newToken(), newToken()];
  await inPlatform(async () => {
    await rows(
      `DELETE FROM sso_flows WHERE id IN (SELECT id FROM sso_flows WHERE expires_at < now()
         LIMIT ${CLEANUP_BATCH_SIZE} FOR UPDATE SKIP LOCKED)`,
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
        encrypt(JSON.stringify(flow.secrets ?? {}), encryptionContext(id)),
        FLOW_SECONDS,
      ],
    );
  });
  return { flowId, browserToken };
}

interface FlowRow extends Omit<Flow, 'secrets'> {
  id: string;
  secrets_encrypted: string;
  is_fresh: boolean;
}

/**
 * Deletes and returns a flow in its own transaction, before the provider's response is checked.
 * @returns null when the flow is unknown, used or expired
 */
export async function consumeFlow(key: { flowId: string } | { requestId: string }): Promise<Flow | null> {
  const [column, value] = 'flowId' in key ? ['handle_hash', key.flowId] : ['request_id_hash', key.requestId];
  const row = await inPlatform(() =>
    firstRow<FlowRow>(
      `DELETE FROM sso_flows WHERE ${column} = $1
       RETURNING id, connection_id AS "connectionId", platform, code_challenge AS "codeChallenge",
                 browser_hash AS "browserHash", reauthenticate, secrets_encrypted, expires_at > now() AS is_fresh`,
      [hashToken(value)],
    ),
  );
  if (!row?.is_fresh) return null;
  const { id, secrets_encrypted, is_fresh: _, ...flow } = row;
  return { ...flow, secrets: JSON.parse(decrypt(secrets_encrypted, encryptionContext(id))) as Record<string, string> };
}

/**
 * Returns the platform to whose callback the browser returns, without using the flow up.
 * @returns null for an unknown, expired or forged id
 */
export async function platformOfFlow(flowId: string): Promise<SsoPlatform | null> {
  const row = await inPlatform(
    () =>
      firstRow<{ platform: SsoPlatform }>(
        'SELECT platform FROM sso_flows WHERE handle_hash = $1 AND expires_at > now()',
        [hashToken(flowId)],
      ),
    { readOnly: true },
  );
  return row?.platform ?? null;
}
