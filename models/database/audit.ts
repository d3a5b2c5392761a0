/** The append-only record of who did what, written in the transaction that does it. */
import { currentScope } from './connection.js';
import { currentOrganization, rows } from './rows.js';

export interface AuditEntry {
  /** `<subject>.<past tense verb>`, for example `membership.updated`. */
  action: string;
  subjectType: string;
  subjectId: string | null;
  /** Changed fields only; never a secret. */
  before?: Record<string, unknown> | null;
  after?: Record<string, unknown> | null;
}

/** Writes one entry for the current actor, tenant and request. */
export async function audit({
  action,
  subjectType,
  subjectId,
  before = null,
  after = null,
}: AuditEntry): Promise<void> {
  const { origin } = currentScope();
  await rows(
    `INSERT INTO audit_log (organization_id, actor_user_id, action, subject_type, subject_id, request_id, ip_address, before, after)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
    [
      currentOrganization(),
      origin.userId,
      action,
      subjectType,
      subjectId,
      origin.requestId,
      origin.ipAddress,
      before && JSON.stringify(before),
      after && JSON.stringify(after),
    ],
  );
}

/** What `audit` writes, for a statement that does more in one: a SELECT of these columns follows. */
export const INTO_AUDIT_LOG =
  'INSERT INTO audit_log (organization_id, action, subject_type, subject_id, request_id, ip_address, after)';

/** The fields that differ between two states of a row, for `before` and `after`. */
export function changes<Row extends Record<string, unknown>>(before: Row, after: Row) {
  const differing = Object.keys(after).filter((key) => JSON.stringify(before[key]) !== JSON.stringify(after[key]));
  const pick = (row: Row) => Object.fromEntries(differing.map((key) => [key, row[key] ?? null]));
  return { before: pick(before), after: pick(after) };
}
