/** Writes account events to audit logs. People belong to the platform, audit logs to an organization. */
import { type AuditEntry, audit } from '../database/audit.js';
import { currentScope } from '../database/connection.js';

/**
 * Writes an entry to the audit log of the session's organization. Does nothing if the session has no organization,
 * because only organizations have audit logs.
 */
export async function auditInOrganization(entry: AuditEntry): Promise<void> {
  if (currentScope().organizationId) await audit(entry);
}
