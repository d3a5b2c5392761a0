/**
 * Records security events of a person's account: in the person's own list, and in the organization's audit log if there
 * is an organization.
 */
import { currentScope, type Origin } from '../database/connection.js';
import { rows } from '../database/rows.js';
import { auditInOrganization } from './auditInOrganization.js';

export interface SecurityEvent {
  userId: string;
  /** `<what>.<past tense verb>`, for example `password.changed`, `session.started`, `passkey.added`. */
  kind: string;
  /** The session that the event is about. Default: the session of the request, when it is this person's. */
  sessionId?: string | null;
  /** The organization of the event. Default: the organization of the current transaction. */
  organizationId?: string | null;
  ipAddress?: string | null;
  userAgent?: string | null;
  /** Shown to the person and in the audit log. Never a secret. */
  details?: Record<string, unknown>;
  /** Further details that only the person sees. */
  ownDetails?: Record<string, unknown>;
  /** Further details that only the organization's audit log gets. */
  auditDetails?: Record<string, unknown>;
}

/** Writes one event in the open transaction, and an entry in the audit log if the transaction has an organization. */
export async function recordSecurityEvent({
  userId,
  kind,
  sessionId,
  organizationId,
  ipAddress,
  userAgent = null,
  details = {},
  ownDetails = {},
  auditDetails = {},
}: SecurityEvent): Promise<void> {
  const scope = currentScope();
  const values = [
    userId,
    kind,
    organizationId === undefined ? scope.organizationId : organizationId,
    sessionId === undefined ? ownSessionId(userId, scope.origin) : sessionId,
    ipAddress ?? scope.origin.ipAddress,
    userAgent,
    JSON.stringify({ ...details, ...ownDetails }),
  ];
  await rows(
    `INSERT INTO security_events (user_id, kind, organization_id, session_id, ip_address, user_agent, details)
     VALUES ($1, $2, $3, $4, $5, $6, $7)`,
    values,
  );
  const auditedDetails = { ...details, ...auditDetails };
  const after = Object.keys(auditedDetails).length > 0 ? auditedDetails : null;
  await auditInOrganization({ action: kind, subjectType: 'user', subjectId: userId, person: { userId }, after });
}

const ownSessionId = (userId: string, origin: Origin): string | null =>
  origin.userId === userId ? (origin.sessionId ?? null) : null;
