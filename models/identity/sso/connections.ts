/** The part of an identity provider's configuration that is known before its tenant: looked up by slug or domain. */
import { firstRow, rows } from '../../database/rows.js';
import type { SsoConnection } from './SsoConnection.js';

export type SsoKind = SsoConnection['kind'];

/** What decides about a sign-in. */
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

/** Active, and of an active organization. Needs no tenant. */
export const findConnection = (kind: SsoKind, slug: string): Promise<ActiveConnection | null> =>
  firstRow<ActiveConnection>(`SELECT ${COLUMNS} ${ACTIVE} AND c.kind = $1 AND c.slug = $2`, [kind, slug]);

export const findConnectionById = (id: string): Promise<ActiveConnection | null> =>
  firstRow<ActiveConnection>(`SELECT ${COLUMNS} ${ACTIVE} AND c.id = $1`, [id]);

/** Also of one that is switched off. */
export const connectionIdOf = async (kind: SsoKind, slug: string): Promise<string | null> =>
  (await firstRow<{ id: string }>('SELECT id FROM sso_connections WHERE kind = $1 AND slug = $2', [kind, slug]))?.id ??
  null;

export interface DiscoveredConnection extends Pick<ActiveConnection, 'kind' | 'slug' | 'name' | 'provider'> {
  organization_name: string;
  organization_slug: string;
}

const MOST_SHOWN = 20;
/** Of one organization for one domain: whoever names somebody else's domain often does not push the others out. */
const MOST_SHOWN_EACH = 3;
const SHOWN = `SELECT c.kind, c.slug, c.name, c.provider, o.name AS organization_name, o.slug AS organization_slug`;

/** What may sign in addresses of this domain. @param domain in lower case */
export const discoverByDomain = (domain: string): Promise<DiscoveredConnection[]> =>
  rows<DiscoveredConnection>(
    `SELECT kind, slug, name, provider, organization_name, organization_slug FROM (
       ${SHOWN}, c.id, row_number() OVER (PARTITION BY o.id ORDER BY c.id) AS nth
       ${ACTIVE} AND c.domains @> ARRAY[$1]::text[]) found
      WHERE nth <= ${MOST_SHOWN_EACH} ORDER BY nth, id LIMIT ${MOST_SHOWN}`,
    [domain],
  );

/** An organization's, by name. */
export const connectionsOf = (organizationId: string): Promise<DiscoveredConnection[]> =>
  rows<DiscoveredConnection>(`${SHOWN} ${ACTIVE} AND c.organization_id = $1 ORDER BY c.name, c.id`, [organizationId]);

/** The domain of an address, in lower case. */
export const domainOf = (email: string): string => email.slice(email.lastIndexOf('@') + 1).toLowerCase();
