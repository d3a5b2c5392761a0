/** Connections as admins edit them. The row of the protocol, in its own table, has the same id. Inside of `inTenant`. */
import { audit, changes } from '../../database/audit.js';
import { currentScope } from '../../database/connection.js';
import { currentOrganization, firstRow, oneRow, rows } from '../../database/rows.js';
import { refuse } from '../../errors.js';
import { revokeSessionsBy } from '../revokeSessions.js';
import type { ProvisionStatus, SsoConnection, SsoKind } from './connections.js';
import './errors.js';

/** What every kind of configuration has. */
export interface ConnectionFields {
  name: string;
  slug: string;
  domains: string[];
  is_active: boolean;
  auto_provision: boolean;
  provision_chapter: string | null;
  provision_status: ProvisionStatus;
  /** 1 to 720: how long its sessions go on without a new answer of the provider. */
  session_max_age_hours: number;
}

/** A connection as admins see it. */
export interface ShownConnection extends ConnectionFields {
  id: string;
  verified_domains: string[];
  version: number;
  created_at: string;
  updated_at: string;
}

export type ConnectionEdit = { [Name in keyof ConnectionFields]?: ConnectionFields[Name] | undefined };

/** SQL for the domains of `sso_connections c` that the platform has seen to be the organization's, as they stand now. */
export const VERIFIED_DOMAINS = `ARRAY(SELECT v.domain FROM verified_domains v
  WHERE v.organization_id = c.organization_id AND v.domain = ANY(c.domains) ORDER BY v.domain) AS verified_domains`;

/** For SELECT lists over `sso_connections c`. */
export const CONNECTION_COLUMNS = `c.id, c.name, c.slug, c.domains, c.is_active, c.auto_provision,
  c.provision_chapter_id AS provision_chapter, c.provision_status, c.session_max_age_hours,
  ${VERIFIED_DOMAINS}, c.version, c.created_at, c.updated_at`;

/** @returns the id. @throws Refusal duplicate for a slug that any organization has, validation_error */
export async function createConnection(
  kind: SsoKind,
  provider: SsoConnection['provider'],
  fields: ConnectionFields,
): Promise<string> {
  const { id } = await oneRow<{ id: string }>(
    `INSERT INTO sso_connections (organization_id, kind, provider, name, slug, domains, is_active, auto_provision,
                                  provision_chapter_id, provision_status, session_max_age_hours)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) RETURNING id`,
    [currentOrganization(), kind, provider, ...valuesOf(fields)],
  );
  return id;
}

const valuesOf = (fields: ConnectionFields): unknown[] => [
  fields.name,
  fields.slug,
  fields.domains,
  fields.is_active,
  fields.auto_provision,
  fields.provision_chapter,
  fields.provision_status,
  fields.session_max_age_hours,
];

/** Locks a connection of the tenant for change. @throws Refusal not_found, stale_version */
export async function lockConnection(
  kind: SsoKind,
  id: string,
  version: number | undefined,
): Promise<ConnectionFields> {
  const found = await firstRow<ConnectionFields & { version: number }>(
    `SELECT ${CONNECTION_COLUMNS} FROM sso_connections c
      WHERE c.organization_id = $1 AND c.kind = $2 AND c.id = $3 FOR NO KEY UPDATE`,
    [currentOrganization(), kind, id],
  );
  if (!found) throw refuse.not_found();
  if (version !== undefined && version !== found.version) throw refuse.stale_version();
  const { name, slug, domains, is_active, auto_provision, provision_chapter, provision_status } = found;
  const { session_max_age_hours } = found;
  return { name, slug, domains, is_active, auto_provision, provision_chapter, provision_status, session_max_age_hours };
}

/**
 * Writes a locked connection, and a new version also when only the protocol's row changed. Switched off, it ends its
 * sessions; a shorter age holds for those that are under way.
 */
export async function storeConnection(id: string, fields: ConnectionFields): Promise<void> {
  await rows(
    `UPDATE sso_connections SET name = $3, slug = $4, domains = $5, is_active = $6, auto_provision = $7,
            provision_chapter_id = $8, provision_status = $9, session_max_age_hours = $10
      WHERE organization_id = $1 AND id = $2`,
    [currentOrganization(), id, ...valuesOf(fields)],
  );
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
  const before = await lockConnection(kind, id, undefined);
  await endSessionsBy(id);
  await rows('DELETE FROM sso_connections WHERE organization_id = $1 AND id = $2', [currentOrganization(), id]);
  await auditConnection(kind, 'removed', id, { before: { ...before } });
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

/** The fields of an edit that were given, over those that stand. */
export const edited = <Fields extends object>(
  stands: Fields,
  edit: { [Name in keyof Fields]?: Fields[Name] | undefined },
) =>
  ({
    ...stands,
    ...Object.fromEntries(Object.keys(stands).flatMap((name) => givenIn(edit as Record<string, unknown>, name))),
  }) as Fields;

const givenIn = (edit: Record<string, unknown>, name: string): [string, unknown][] =>
  edit[name] === undefined ? [] : [[name, edit[name]]];
