import { rows } from '../../../database/rows.js';
import { inPlatform } from '../../../database/tenancy.js';

/** Ids only. */
export interface SamlConnectionRef {
  organizationId: string;
  configurationId: string;
}

export interface SamlConnectionPage {
  connections: SamlConnectionRef[];
  /** Where the next page starts; null after the last. */
  next: string | null;
}

const PAGE = 20;

/** One page of the active SAML connections of active organizations, by id. */
export async function samlConnectionsToCheck(after: string | null): Promise<SamlConnectionPage> {
  const connections = await inPlatform(
    () =>
      rows<SamlConnectionRef>(
        `SELECT c.organization_id AS "organizationId", c.id AS "configurationId"
           FROM sso_connections c JOIN organizations o ON o.id = c.organization_id
          WHERE c.kind = 'saml' AND c.is_active AND o.is_active AND ($1::uuid IS NULL OR c.id > $1)
          ORDER BY c.id LIMIT $2`,
        [after, PAGE],
      ),
    { readOnly: true },
  );
  return { connections, next: connections.length === PAGE ? (connections.at(-1)?.configurationId ?? null) : null };
}
