/** People are the platform's, audit logs an organization's. */
import { type AuditEntry, audit } from '../database/audit.js';
import { currentScope } from '../database/connection.js';

/** Writes to the log of the organization that the session acts in; without one there is no log to write to. */
export async function auditInOrganization(entry: AuditEntry): Promise<void> {
  if (currentScope().organizationId) await audit(entry);
}
