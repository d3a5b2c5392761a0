/** Operations on office-suite accounts that admins and members request, outside of the provisioning process. */
import { audit } from '../../database/audit.js';
import { changeRow, computed, lockForEdit, now } from '../../database/model/change.js';
import { readRow, type ShownRow } from '../../database/model/read.js';
import { currentOrganization, firstRow, rows } from '../../database/rows.js';
import { enqueue } from '../../database/outbox.js';
import { requireFound } from '../../errors.js';
import { provisionAccount } from '../../../workflows/contracts/index.js';
import { CHANGED_SIGNAL } from '../../../workflows/contracts/provisionAccount.js';
import { intakeErrors } from '../errors.js';
import { readConfig } from './config.js';
import { ProvisioningRecord } from './ProvisioningRecord.js';
import type { Problem } from './vocabulary.js';

type Shown = ShownRow<typeof ProvisioningRecord>;

const SUBJECT = 'account_provisioning_record';
/**
 * Problems after which the provider has no account of ours at the reserved address. A retry then starts from the
 * beginning and reserves an address again.
 */
const RESTART_PROBLEMS: ReadonlySet<Problem | null> = new Set(['refused', 'other_provider']);

/**
 * Retries an account that failed or needs attention. @throws Refusal not_found, account_not_stuck, provisioning_refused
 */
export async function retryAccount(id: string): Promise<Shown> {
  const record = await lockForEdit(ProvisioningRecord, id);
  const { status, wants, problem, address, account_id } = record;
  if ((status !== 'failed' && status !== 'needs_attention') || problem === 'erased')
    throw intakeErrors.account_not_stuck();
  if ((await readConfig())?.waits === 'credentials_refused') throw intakeErrors.provisioning_refused();
  const startsOver = account_id === null && RESTART_PROBLEMS.has(problem);
  const begins = startsOver || (address === null && account_id === null);
  await changeRow(ProvisioningRecord, id, {
    // If the account exists, it is unknown whether it is suspended at the provider. Status `suspended` makes the
    // process reactivate the account before anything else.
    status: begins ? 'pending' : account_id !== null && wants === 'active' ? 'suspended' : 'creating',
    problem: null,
    ...(startsOver && { address: null, address_number: 0, provider: null }),
  });
  await enqueue(provisionAccount, { recordId: id }, { signal: CHANGED_SIGNAL });
  await audit({ action: `${SUBJECT}.retried`, subjectType: SUBJECT, subjectId: id, before: { status, problem } });
  return readRow(ProvisioningRecord, id);
}

/**
 * Reads the office-suite account of a person in the tenant. If several of their memberships have one, prefers a
 * membership that gives access.
 * @throws Refusal not_found
 */
export async function readAccountOf(userId: string): Promise<Shown> {
  const own = await firstRow<{ id: string }>(
    `SELECT r.id FROM memberships m
       JOIN account_provisioning_records r ON r.organization_id = m.organization_id AND r.membership_id = m.id
      WHERE m.organization_id = $1 AND m.user_id = $2 ORDER BY app.gives_access(m.status) DESC, r.id DESC LIMIT 1`,
    [currentOrganization(), userId],
  );
  return readRow(ProvisioningRecord, requireFound(own).id);
}

/**
 * Claims the right to set the first password of an account, so that only one of two concurrent requests sets it.
 * @throws Refusal account_not_active, password_given
 */
export async function claimPassword({ id, status }: Pick<Shown, 'id' | 'status'>): Promise<{ accountId: string }> {
  if (status !== 'active') throw intakeErrors.account_not_active();
  const claimed = await firstRow<{ account_id: string }>(
    `UPDATE account_provisioning_records SET password_claimed_at = now()
      WHERE organization_id = $1 AND id = $2 AND status = 'active' AND password_given_at IS NULL
        AND coalesce(password_claimed_at < now() - interval '2 minutes', true) RETURNING account_id`,
    [currentOrganization(), id],
  );
  if (!claimed) throw intakeErrors.password_given();
  return { accountId: claimed.account_id };
}

/**
 * Records that the provider has set the first password. The password is shown only in the response to the request that
 * set it, and never again.
 */
export async function recordPassword(id: string): Promise<void> {
  await changeRow(ProvisioningRecord, id, { password_claimed_at: computed('NULL'), password_given_at: now });
  await audit({ action: `${SUBJECT}.password_set`, subjectType: SUBJECT, subjectId: id });
}

/** Releases the claim after an attempt that has probably set no password, so that another attempt is possible. */
export const releasePasswordClaim = (id: string): Promise<unknown> =>
  changeRow(ProvisioningRecord, id, { password_claimed_at: computed('NULL') });

/**
 * Moves an office-suite account to the person's membership in another chapter, unless that membership already has one.
 */
export const moveAccount = (from: string, to: string): Promise<unknown> =>
  rows(
    `UPDATE account_provisioning_records SET membership_id = $3
      WHERE organization_id = $1 AND membership_id = $2 AND NOT EXISTS (
        SELECT FROM account_provisioning_records WHERE organization_id = $1 AND membership_id = $3)`,
    [currentOrganization(), from, to],
  );

/**
 * Erases the address, which contains the person's name, and stops the creation of an account that does not exist yet.
 * The provider's account id is kept, so that the account can still be suspended.
 * @returns the number of records
 */
export async function eraseAccounts(userId: string): Promise<number> {
  const erased = await rows(
    `UPDATE account_provisioning_records r SET address = NULL,
            status = CASE WHEN r.account_id IS NULL THEN 'failed' ELSE r.status END,
            problem = CASE WHEN r.account_id IS NULL THEN 'erased' ELSE r.problem END
       FROM memberships m
      WHERE r.organization_id = $1 AND m.organization_id = $1 AND m.id = r.membership_id AND m.user_id = $2
        AND (r.address IS NOT NULL OR (r.account_id IS NULL AND r.problem IS DISTINCT FROM 'erased')) RETURNING r.id`,
    [currentOrganization(), userId],
  );
  return erased.length;
}
