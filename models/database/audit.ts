/** The append-only audit log, written in the transaction of the change. */
import { currentScope } from './connection.js';
import { currentOrganization, rows } from './rows.js';

export interface AuditEntry {
  /** `<subject>.<past tense verb>`, for example `membership.updated`. */
  action: string;
  subjectType: string;
  subjectId: string | null;
  /**
   * The person whose data `before` and `after` contain. These values are stored beside the entry and are erased with
   * the person. Absent when they are about no person.
   */
  person?: Person;
  /** Only the fields that changed, and never a secret. */
  before?: Record<string, unknown> | null;
  after?: Record<string, unknown> | null;
}

/** A user, or the holder of a membership. */
type Person = { userId: string } | { membershipId: string };

/**
 * Writes one entry for the current actor, tenant and request, also into the platform's log if the change is made under
 * /api/platform/.
 */
export const audit = (entry: AuditEntry): Promise<void> => auditAll([entry]);

/** Writes many entries in one statement. */
export async function auditAll(entries: readonly AuditEntry[]): Promise<void> {
  if (entries.length === 0) return;
  const { origin } = currentScope();
  const entryRows = entries.map(({ action, subjectType, subjectId, person, before = null, after = null }) => ({
    action,
    subject_type: subjectType,
    subject_id: subjectId,
    before,
    after,
    user_id: person && 'userId' in person ? person.userId : null,
    membership_id: person && 'membershipId' in person ? person.membershipId : null,
  }));
  await rows(
    `INSERT INTO audit_log (organization_id, actor_user_id, action, subject_type, subject_id, request_id, ip_address, before, after,
                            person_id)
     SELECT $1, $2, e.action, e.subject_type, e.subject_id, $3, $4, e.before, e.after, coalesce(e.user_id, m.user_id)
       FROM jsonb_to_recordset($5) AS e (action text, subject_type text, subject_id uuid, before jsonb,
              after jsonb, user_id uuid, membership_id uuid)
       LEFT JOIN memberships m ON m.organization_id = $1 AND m.id = e.membership_id`,
    [currentOrganization(), origin.userId, origin.requestId, origin.ipAddress, JSON.stringify(entryRows)],
  );
  if (origin.isPlatformRequest) for (const entry of entries) await auditPlatform(entry);
}

/** Writes one entry into the platform's log, for the current actor and request. Values about a person are left out. */
export async function auditPlatform(entry: AuditEntry): Promise<void> {
  const { action, subjectType, subjectId, person } = entry;
  const { before = null, after = null } = person ? {} : entry;
  const { origin, organizationId } = currentScope();
  await rows(
    `INSERT INTO platform_audit_log (actor_user_id, organization_id, action, subject_type, subject_id, request_id, before, after)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
    [
      origin.userId,
      organizationId,
      action,
      subjectType,
      subjectId,
      origin.requestId,
      ...[before, after].map((state) => state && JSON.stringify(state)),
    ],
  );
}

/**
 * The beginning of an INSERT into the audit log, for statements that also do other work. Append a SELECT of these
 * columns.
 */
export const INTO_AUDIT_LOG =
  'INSERT INTO audit_log (organization_id, action, subject_type, subject_id, request_id, ip_address, after, person_id)';

/** Erases the values about a person; the entries stay. @returns the number of entries affected */
export async function eraseAuditValues(userId: string): Promise<number> {
  const deleted = await rows('DELETE FROM audit_values WHERE organization_id = $1 AND user_id = $2 RETURNING 1', [
    currentOrganization(),
    userId,
  ]);
  return deleted.length;
}

/**
 * Reassigns audit values from a placeholder person to the real account. Skips an entry that already has values of the
 * account, because that entry is about both persons.
 */
export async function reassignAuditValues(placeholderId: string, accountId: string): Promise<void> {
  await rows(
    `UPDATE audit_values v SET user_id = $3 WHERE organization_id = $1 AND user_id = $2 AND NOT EXISTS (
       SELECT FROM audit_values own WHERE own.organization_id = $1 AND own.entry_id = v.entry_id AND own.user_id = $3)`,
    [currentOrganization(), placeholderId, accountId],
  );
}

/** Returns the fields that differ between two states of a row, as `before` and `after` of an audit entry. */
export function changes<Row extends Record<string, unknown>>(before: Row, after: Row) {
  const changedKeys = Object.keys(after).filter((key) => JSON.stringify(before[key]) !== JSON.stringify(after[key]));
  const pick = (row: Row) => Object.fromEntries(changedKeys.map((key) => [key, row[key] ?? null]));
  return { before: pick(before), after: pick(after) };
}
