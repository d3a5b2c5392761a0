/** Records refused sign-ins for the account's person and for the admins of their organization. */
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
  /** Whether the password or passkey was right. Then sign-in was refused because of the account itself. */
  proven: boolean;
  device: Device;
  origin: Origin;
}

/**
 * Records `session.refused` if there is an account. Without an account the same statement runs but inserts no row. It
 * still writes to the disk, so that the response time does not reveal whether the account exists. Opens its own
 * transaction.
 */
export async function recordRefusedSignIn(
  account: AccountAtLogin | null,
  { method, proven, device, origin }: RefusedSignIn,
): Promise<void> {
  const reason = account && refusalReason(account, proven, method);
  const organizationId = account?.organization?.id ?? null;
  const values = [
    account?.id ?? NIL,
    organizationId,
    device.ipAddress,
    device.userAgent,
    JSON.stringify({ method, reason }),
    origin.requestId,
  ];
  await inTenant(organizationId ?? NIL, () => rows(RECORD_SQL, values));
}

// The UPDATE of failure_budgets changes no value. It forces a disk write at commit, which a transaction without writes
// skips.
const RECORD_SQL = `
  WITH person AS (SELECT id FROM users WHERE id = $1),
  event AS (
    INSERT INTO security_events (user_id, kind, organization_id, ip_address, user_agent, details)
    SELECT id, 'session.refused', $2, $3, $4, $5::jsonb FROM person),
  entry AS (
    ${INTO_AUDIT_LOG}
    SELECT $2::uuid, 'session.refused', 'user', id, $6, $3, $5::jsonb, id FROM person WHERE $2::uuid IS NOT NULL)
  UPDATE failure_budgets SET clear_at = clear_at
   WHERE ctid = (SELECT ctid FROM failure_budgets WHERE scope = 'account_from_address' LIMIT 1 FOR UPDATE SKIP LOCKED)`;

function refusalReason(account: AccountAtLogin, proven: boolean, method: AuthMethod): string {
  const { disabled, password_hash, has_access, password_has_ended } = account;
  if (disabled) return 'account_disabled';
  if (method === 'password' && password_hash === null) return 'no_password';
  if (proven && has_access && method === 'password' && password_has_ended) return 'temporary_password_expired';
  return proven ? 'no_organization' : `wrong_${method}`;
}
