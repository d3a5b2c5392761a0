/** Sign-ins that failed, for those whose account it was, and for the admins of their organization. */
import { INTO_AUDIT_LOG } from '../database/audit.js';
import type { Origin } from '../database/connection.js';
import { rows } from '../database/rows.js';
import { inTenant } from '../database/tenancy.js';
import { NIL } from '../database/uuid.js';
import type { AccountAtLogin } from './accounts.js';
import type { AuthMethod } from './Actor.js';
import type { Device } from './startSession.js';

interface RefusedSignIn {
  method: AuthMethod;
  /** What was shown was right: it is the account that does not let anybody in. */
  proven: boolean;
  device: Device;
  origin: Origin;
}

/**
 * Records `session.refused` where there is an account. Where there is none the same statement finds nobody to write it
 * for, after the same transaction with the same wait for the disk: nothing tells the two apart from outside.
 * Opens its own transaction.
 */
export async function recordRefusedSignIn(
  account: AccountAtLogin | null,
  { method, proven, device, origin }: RefusedSignIn,
): Promise<void> {
  const reason = account && reasonOf(account, proven, method);
  const organizationId = account?.organization?.id ?? null;
  const values = [
    account?.id ?? NIL,
    organizationId,
    device.ipAddress,
    device.userAgent,
    JSON.stringify({ method, reason }),
    origin.requestId,
  ];
  await inTenant(organizationId ?? NIL, () => rows(RECORD, values));
}

// The write to failure_budgets changes nothing: a transaction that writes nothing would not wait for the disk.
const RECORD = `
  WITH person AS (SELECT id FROM users WHERE id = $1),
  event AS (
    INSERT INTO security_events (user_id, kind, organization_id, ip_address, user_agent, details)
    SELECT id, 'session.refused', $2, $3, $4, $5::jsonb FROM person),
  entry AS (
    ${INTO_AUDIT_LOG}
    SELECT $2::uuid, 'session.refused', 'user', id, $6, $3, $5::jsonb, id FROM person WHERE $2::uuid IS NOT NULL)
  UPDATE failure_budgets SET clear_at = clear_at
   WHERE ctid = (SELECT ctid FROM failure_budgets WHERE scope = 'account_from_address' LIMIT 1 FOR UPDATE SKIP LOCKED)`;

function reasonOf(account: AccountAtLogin, proven: boolean, method: AuthMethod): string {
  const { disabled, password_hash, has_access, password_has_ended } = account;
  if (disabled) return 'account_disabled';
  if (method === 'password' && password_hash === null) return 'no_password';
  if (proven && has_access && method === 'password' && password_has_ended) return 'temporary_password_expired';
  return proven ? 'no_organization' : `wrong_${method}`;
}
