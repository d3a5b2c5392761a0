/** Writes account events to audit logs. People belong to the platform, audit logs to an organization or the platform. */
import { type AuditEntry, audit, auditPlatform } from '../database/audit.js';
import { currentScope } from '../database/connection.js';

/**
 * Writes an entry to the audit log of the session's organization. Without an organization, a change under
 * /api/platform/ goes to the platform's log, and any other is not logged.
 */
export async function auditInOrganization(entry: AuditEntry): Promise<void> {
  const { organizationId, origin } = currentScope();
  if (organizationId) await audit(entry);
  else if (origin.isPlatformRequest) await auditPlatform(entry);
}
