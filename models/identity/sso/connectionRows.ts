/**
 * Reads and writes SSO connections for the admin API. The settings of the protocol (OAuth or SAML) are in a table of
 * their own, in a row with the same id. Call these functions inside `inTenant`.
 */
import { audit, changes } from '../../database/audit.js';
import { currentScope } from '../../database/connection.js';
import { changeRow, createRow, lockForEdit, removeRow, requireVersion } from '../../database/model/change.js';
import { editable, type Editable, toColumns } from '../../database/model/schemas.js';
import { rows } from '../../database/rows.js';
import { revokeSessionsBy } from '../revokeSessions.js';
import type { SsoKind } from './connections.js';
import { SsoConnection } from './SsoConnection.js';

/** The fields that every kind of connection has. */
export type ConnectionFields = Editable<typeof SsoConnection>;

/**
 * Creates a connection.
 * @returns the id
 * @throws Refusal duplicate for a slug that another organization has, validation_error
 */
export async function createConnection(
  kind: SsoKind,
  provider: SsoConnection['provider'],
  fields: ConnectionFields,
): Promise<string> {
  const { id } = await createRow(SsoConnection, { kind, provider, ...toColumns(SsoConnection, fields) });
  return id;
}

/**
 * Locks a connection of the tenant for editing.
 * @throws Refusal not_found, stale_version
 */
export async function lockConnection(kind: SsoKind, id: string, version?: number): Promise<SsoConnection> {
  const connection = await lockForEdit(SsoConnection, { id, kind });
  requireVersion(connection, version);
  return connection;
}

/**
 * Updates a locked connection. The version increases even if only the protocol's settings changed. Disabling the
 * connection ends its sessions. A shorter maximum session age also applies to sessions that are already open.
 */
export async function storeConnection(id: string, fields: ConnectionFields): Promise<void> {
  await changeRow(SsoConnection, id, toColumns(SsoConnection, fields));
  if (!fields.is_active) await endSessionsBy(id);
  await rows(
    `UPDATE sessions SET expires_at = app.provider_due_at(provider_answered_at, connection_id)
      WHERE connection_id = $1 AND revoked_at IS NULL
        AND expires_at > app.provider_due_at(provider_answered_at, connection_id)`,
    [id],
  );
}

/** Ends the connection's sessions except the caller's own, so that admins do not lock themselves out. */
const endSessionsBy = (id: string): Promise<number> =>
  revokeSessionsBy(id, currentScope().origin.sessionId ?? null, 'provider_switched_off');

/**
 * Removes a connection with its configuration, linked identities, sessions and unfinished sign-ins.
 * @throws Refusal not_found
 */
export async function removeConnection(kind: SsoKind, id: string): Promise<void> {
  const before = editable(SsoConnection, await lockConnection(kind, id));
  await endSessionsBy(id);
  await removeRow(SsoConnection, id);
  await auditConnection(kind, 'removed', id, { before });
}

/** Records a change in the audit log. Callers pass no secrets. */
export async function auditConnection(
  kind: SsoKind,
  verb: 'created' | 'updated' | 'removed',
  id: string,
  { before, after }: { before?: Record<string, unknown>; after?: Record<string, unknown> },
): Promise<void> {
  const subjectType = `${kind}_configuration`;
  const diff = before && after ? changes(before, after) : { before: before ?? null, after: after ?? null };
  await audit({ action: `${subjectType}.${verb}`, subjectType, subjectId: id, ...diff });
}
