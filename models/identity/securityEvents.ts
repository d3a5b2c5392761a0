/** What happened to a person's account: kept for them, and in the audit log of the organization where there is one. */
import { currentScope, type Origin } from '../database/connection.js';
import { rows } from '../database/rows.js';
import { auditInOrganization } from './auditInOrganization.js';

export interface SecurityEvent {
  userId: string;
  /** `<what>.<past tense verb>`, for example `password.changed`, `session.started`, `passkey.added`. */
  kind: string;
  /** Left out: the one that asks, when it is this person's. */
  sessionId?: string | null;
  /** Left out: that of the open transaction. */
  organizationId?: string | null;
  ipAddress?: string | null;
  userAgent?: string | null;
  /** Never a secret. */
  details?: Record<string, unknown>;
  /** More of it, for the person alone. */
  ownDetails?: Record<string, unknown>;
  /** More of it, for the organization's audit log alone. */
  auditDetails?: Record<string, unknown>;
}

/** Writes one event in the open transaction, and tells the organization's audit log if the transaction has one. */
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
    sessionId === undefined ? sessionOf(userId, scope.origin) : sessionId,
    ipAddress ?? scope.origin.ipAddress,
    userAgent,
    JSON.stringify({ ...details, ...ownDetails }),
  ];
  await rows(
    `INSERT INTO security_events (user_id, kind, organization_id, session_id, ip_address, user_agent, details)
     VALUES ($1, $2, $3, $4, $5, $6, $7)`,
    values,
  );
  const told = { ...details, ...auditDetails };
  const after = Object.keys(told).length > 0 ? told : null;
  await auditInOrganization({ action: kind, subjectType: 'user', subjectId: userId, person: { userId }, after });
}

const sessionOf = (userId: string, origin: Origin): string | null =>
  origin.userId === userId ? (origin.sessionId ?? null) : null;
