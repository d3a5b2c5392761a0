/** Looks up SSO connections by slug, id or domain while the tenant of the sign-in is not known yet. */
import { firstRow, rows } from '../../database/rows.js';
import type { SsoConnection } from './SsoConnection.js';

export type SsoKind = SsoConnection['kind'];

/** The fields of an active connection that a sign-in needs. */
export type ActiveConnection = Pick<
  SsoConnection,
  | 'id'
  | 'organization_id'
  | 'kind'
  | 'slug'
  | 'name'
  | 'provider'
  | 'domains'
  | 'auto_provision'
  | 'provision_chapter_id'
  | 'provision_status'
>;

const COLUMNS = `c.id, c.organization_id, c.kind, c.slug, c.name, c.provider, c.domains, c.auto_provision,
  c.provision_chapter_id, c.provision_status`;
const ACTIVE = `FROM sso_connections c JOIN organizations o ON o.id = c.organization_id WHERE c.is_active AND o.is_active`;

/** Finds an active connection of an active organization. Needs no tenant. */
export const findConnection = (kind: SsoKind, slug: string): Promise<ActiveConnection | null> =>
  firstRow<ActiveConnection>(`SELECT ${COLUMNS} ${ACTIVE} AND c.kind = $1 AND c.slug = $2`, [kind, slug]);

export const findConnectionById = (id: string): Promise<ActiveConnection | null> =>
  firstRow<ActiveConnection>(`SELECT ${COLUMNS} ${ACTIVE} AND c.id = $1`, [id]);

/** Finds the id of a connection by slug, even if the connection is disabled. */
export const findConnectionId = async (kind: SsoKind, slug: string): Promise<string | null> =>
  (await firstRow<{ id: string }>('SELECT id FROM sso_connections WHERE kind = $1 AND slug = $2', [kind, slug]))?.id ??
  null;

export interface DiscoveredConnection extends Pick<ActiveConnection, 'kind' | 'slug' | 'name' | 'provider'> {
  organization_name: string;
  organization_slug: string;
}

const MAX_RESULTS = 20;
/**
 * Maximum number of connections of one organization in a search by domain. Without it, an organization could list many
 * connections for a domain of another organization, and so crowd that organization's own connection out of the results.
 */
const MAX_RESULTS_PER_ORGANIZATION = 3;
const SELECT_DISCOVERED = `SELECT c.kind, c.slug, c.name, c.provider, o.name AS organization_name, o.slug AS organization_slug`;

/**
 * Finds the connections that can sign in addresses of this domain.
 * @param domain in lower case
 */
export const discoverByDomain = (domain: string): Promise<DiscoveredConnection[]> =>
  rows<DiscoveredConnection>(
    `SELECT kind, slug, name, provider, organization_name, organization_slug FROM (
       ${SELECT_DISCOVERED}, c.id, row_number() OVER (PARTITION BY o.id ORDER BY c.id) AS nth
       ${ACTIVE} AND c.domains @> ARRAY[$1]::text[]) found
      WHERE nth <= ${MAX_RESULTS_PER_ORGANIZATION} ORDER BY nth, id LIMIT ${MAX_RESULTS}`,
    [domain],
  );

/** Lists an organization's active connections by name. */
export const listActiveConnections = (organizationId: string): Promise<DiscoveredConnection[]> =>
  rows<DiscoveredConnection>(`${SELECT_DISCOVERED} ${ACTIVE} AND c.organization_id = $1 ORDER BY c.name, c.id`, [
    organizationId,
  ]);

/** Returns the domain of an address, in lower case. */
export const domainOf = (email: string): string => email.slice(email.lastIndexOf('@') + 1).toLowerCase();
