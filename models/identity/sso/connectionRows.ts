/** Connections as admins edit them. The row of the protocol, in its own table, has the same id. Inside of `inTenant`. */
import { audit, changes } from '../../database/audit.js';
import { currentScope } from '../../database/connection.js';
import { changeRow, createRow, lockRow, removeRow, requireVersion } from '../../database/model/change.js';
import { editable, type Editable, toColumns } from '../../database/model/schemas.js';
import { rows } from '../../database/rows.js';
import { revokeSessionsBy } from '../revokeSessions.js';
import type { SsoKind } from './connections.js';
import { SsoConnection } from './SsoConnection.js';

/** What every kind of configuration has. */
export type ConnectionFields = Editable<typeof SsoConnection>;

/** @returns the id. @throws Refusal duplicate for a slug that any organization has, validation_error */
export async function createConnection(
  kind: SsoKind,
  provider: SsoConnection['provider'],
  fields: ConnectionFields,
): Promise<string> {
  const { id } = await createRow(SsoConnection, { kind, provider, ...toColumns(SsoConnection, fields) });
  return id;
}

/** Locks a connection of the tenant for change. @throws Refusal not_found, stale_version */
export async function lockConnection(kind: SsoKind, id: string, version?: number): Promise<SsoConnection> {
  const connection = await lockRow(SsoConnection, { id, kind });
  requireVersion(connection, version);
  return connection;
}

/**
 * Writes a locked connection, and a new version also when only the protocol's row changed. Switched off, it ends its
 * sessions; a shorter age holds for those that are under way.
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

/** But for the one that asks: an admin does not lock themselves out. */
const endSessionsBy = (id: string): Promise<number> =>
  revokeSessionsBy(id, currentScope().origin.sessionId ?? null, 'provider_switched_off');

/** With its configuration, its linked identities, its sessions, and whatever sign-in is under way. @throws Refusal not_found */
export async function removeConnection(kind: SsoKind, id: string): Promise<void> {
  const before = editable(SsoConnection, await lockConnection(kind, id));
  await endSessionsBy(id);
  await removeRow(SsoConnection, id);
  await auditConnection(kind, 'removed', id, { before });
}

/** Never with a secret in it. */
export async function auditConnection(
  kind: SsoKind,
  verb: 'created' | 'updated' | 'removed',
  id: string,
  { before, after }: { before?: Record<string, unknown>; after?: Record<string, unknown> },
): Promise<void> {
  const subjectType = `${kind}_configuration`;
  const seen = before && after ? changes(before, after) : { before: before ?? null, after: after ?? null };
  await audit({ action: `${subjectType}.${verb}`, subjectType, subjectId: id, ...seen });
}
