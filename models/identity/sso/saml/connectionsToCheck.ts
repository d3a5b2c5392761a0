import { rows } from '../../../database/rows.js';
import { inPlatform } from '../../../database/tenancy.js';

/** The ids of a SAML connection. */
export interface SamlConnectionRef {
  organizationId: string;
  configurationId: string;
}

export interface SamlConnectionBatch {
  connections: SamlConnectionRef[];
  /** The id after which the next batch starts; null after the last batch. */
  next: string | null;
}

const BATCH_SIZE = 20;

/** Lists one batch of the active SAML connections of active organizations, by id. */
export async function listSamlConnectionsToCheck(after: string | null): Promise<SamlConnectionBatch> {
  const connections = await inPlatform(
    () =>
      rows<SamlConnectionRef>(
        `SELECT c.organization_id AS "organizationId", c.id AS "configurationId"
           FROM sso_connections c JOIN organizations o ON o.id = c.organization_id
          WHERE c.kind = 'saml' AND c.is_active AND o.is_active AND ($1::uuid IS NULL OR c.id > $1)
          ORDER BY c.id LIMIT $2`,
        [after, BATCH_SIZE],
      ),
    { readOnly: true },
  );
  return {
    connections,
    next: connections.length === BATCH_SIZE ? (connections.at(-1)?.configurationId ?? null) : null,
  };
}
