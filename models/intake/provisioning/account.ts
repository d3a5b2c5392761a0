/**
 * Reads and writes the data of the background process that creates an office-suite account. The functions determine the
 * next step and record its outcome; each can safely run again.
 */
import { changeRow } from '../../database/model/change.js';
import { currentOrganization, firstRow, rows } from '../../database/rows.js';
import { RowMissing } from '../../errors.js';
import { localPartOf } from './address.js';
import { ProvisioningRecord } from './ProvisioningRecord.js';
import type { Problem, Provider } from './vocabulary.js';

export type AccountEnd = 'active' | 'suspended' | 'failed' | 'needs_attention' | 'waiting';

/** The next step of the process, or the status with which it ends. */
export type NextStep =
  | { end: AccountEnd }
  | { step: 'creating' | 'joining' | 'switching' }
  /** Seconds to wait before the provider may be called again. */
  | { step: 'waiting'; seconds: number };

export interface AccountTask {
  id: string;
  status: ProvisioningRecord['status'];
  wants: ProvisioningRecord['wants'];
  provider: Provider | null;
  address: string | null;
  address_number: number;
  account_id: string | null;
  first_name: string;
  last_name: string;
  /** True if the record has not changed for an hour. */
  is_old: boolean;
  config: { provider: Provider; domain: string; address_template: string } | null;
  is_refused: boolean;
  rests_seconds: number | null;
}

/**
 * Reads the record with all facts on which the next step depends.
 * @param lock SQL of a locking clause
 * @throws RowMissing
 */
export async function readTask(id: string, lock = ''): Promise<AccountTask> {
  const task = await firstRow<AccountTask>(
    `SELECT r.id, r.status, r.wants, r.provider, r.address, r.address_number, r.account_id, u.first_name, u.last_name,
            r.updated_at < now() - interval '1 hour' AS is_old,
            (SELECT jsonb_build_object('provider', c.provider, 'domain', c.domain, 'address_template', c.address_template)
               FROM account_provisioning_configs c WHERE c.organization_id = $1) AS config,
            x.organization_id IS NOT NULL AND x.rests_until IS NULL AS is_refused,
            ceil(extract(epoch FROM x.rests_until - now()))::int AS rests_seconds
       FROM account_provisioning_records r
       JOIN memberships m ON m.organization_id = r.organization_id AND m.id = r.membership_id
       JOIN users u ON u.id = m.user_id
       LEFT JOIN account_provisioning_rests x ON x.organization_id = r.organization_id
      WHERE r.organization_id = $1 AND r.id = $2 ${lock}`,
    [currentOrganization(), id],
  );
  if (!task) throw new RowMissing('There is no such account.');
  return task;
}

/**
 * Determines the next step of the process, and reserves an address for the account if it has none.
 * @throws RowMissing
 */
export async function nextStep(id: string): Promise<NextStep> {
  const task = await readTask(id, 'FOR NO KEY UPDATE OF r');
  const { status, wants, account_id, config } = task;
  if (isOver(task)) return { end: status as AccountEnd };
  // The provider was never asked to create this account, so there is nothing to suspend.
  if (status === 'pending' && wants === 'suspended') return settle(id, { status: 'suspended' });
  if (!config) return settle(id, { status: 'needs_attention', problem: 'not_configured' });
  if (task.provider !== null && task.provider !== config.provider)
    return settle(id, { status: 'needs_attention', problem: 'other_provider' });
  if (task.is_refused) return { end: 'waiting' };
  if (task.rests_seconds !== null && task.rests_seconds > 0) return { step: 'waiting', seconds: task.rests_seconds };
  if (task.address === null && account_id === null && !(await reserveAddress(task)))
    return settle(id, { status: 'failed', problem: 'no_address_left' });
  if (account_id === null) return { step: 'creating' };
  return { step: status === 'creating' && wants === 'active' ? 'joining' : 'switching' };
}

/**
 * Reports whether nothing remains to be done. An account that failed or needs attention must still be suspended when
 * its member leaves.
 */
function isOver({ status, wants, account_id }: AccountTask): boolean {
  if (status === 'failed' || status === 'needs_attention') return !(wants === 'suspended' && account_id !== null);
  return status === wants;
}

async function settle(
  id: string,
  fields: { status: AccountEnd & ProvisioningRecord['status']; problem?: Problem },
): Promise<NextStep> {
  await changeRow(ProvisioningRecord, id, { problem: null, ...fields });
  return { end: fields.status };
}

const MAX_ADDRESS_NUMBER = 10_000;

/**
 * Reserves the first free address for this name. Skips addresses that the provider has already refused as taken.
 * @returns false if none is left
 */
async function reserveAddress({ id, address_number, config, ...person }: AccountTask): Promise<boolean> {
  if (!config) return false;
  const local = localPartOf(config.address_template, person);
  // With the lock, the second of two concurrent reservations sees the address of the first.
  await rows('SELECT pg_advisory_xact_lock(hashtextextended($1, 45))', [currentOrganization()]);
  const reserved = await rows<{ id: string }>(
    `UPDATE account_provisioning_records SET status = 'creating', provider = $6, address = free.address, address_number = free.n
       FROM (SELECT n, address FROM generate_series($3::int, ${MAX_ADDRESS_NUMBER}) n
              CROSS JOIN LATERAL (SELECT $4 || CASE WHEN n = 1 THEN '' ELSE n::text END || '@' || $5 AS address) a
              WHERE NOT EXISTS (SELECT FROM account_provisioning_records o
                                 WHERE o.organization_id = $1 AND lower(o.address) = a.address)
              ORDER BY n LIMIT 1) free
      WHERE organization_id = $1 AND id = $2 RETURNING id`,
    [currentOrganization(), id, address_number + 1, local, config.domain, config.provider],
  );
  return reserved.length > 0;
}

/** Records the id of the account that the provider has created. */
export const recordAccountId = (id: string, accountId: string): Promise<unknown> =>
  changeRow(ProvisioningRecord, { id, account_id: null }, { account_id: accountId });

/** Releases an address that another person has at the provider, so that the next one is tried. */
export const releaseTakenAddress = (id: string, address: string): Promise<unknown> =>
  changeRow(
    ProvisioningRecord,
    { id, status: 'creating', account_id: null, address },
    { status: 'pending', address: null },
  );

/**
 * Marks an account active after the last step. Does nothing if the process was cancelled meanwhile, which has changed
 * the status.
 */
export const recordActive = (id: string): Promise<unknown> =>
  changeRow(ProvisioningRecord, { id, status: 'creating' }, { status: 'active' });

/**
 * Records that the account was suspended or reactivated. A reactivated account gets status `creating`, so that its
 * groups are checked again.
 */
export const recordSwitched = (id: string, to: 'active' | 'suspended'): Promise<unknown> =>
  changeRow(ProvisioningRecord, id, { status: to === 'active' ? 'creating' : 'suspended', problem: null });

export const recordProblem = (
  id: string,
  { status, problem }: { status: 'failed' | 'needs_attention'; problem: Problem },
): Promise<unknown> => changeRow(ProvisioningRecord, id, { status, problem });

/**
 * Marks the account as needing attention, because its process was cancelled. An account that exists at the provider
 * stays there.
 */
export const stopAccount = (id: string): Promise<void> =>
  rows(
    `UPDATE account_provisioning_records SET status = 'needs_attention', problem = 'cancelled'
      WHERE organization_id = $1 AND id = $2
        AND (status IN ('pending', 'creating') OR (status IN ('active', 'suspended') AND status <> wants))`,
    [currentOrganization(), id],
  ).then(() => undefined);
