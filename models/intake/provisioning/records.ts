/** What is done to accounts besides their process. */
import { audit } from '../../database/audit.js';
import { changeRow, computed, lockRow, now } from '../../database/model/change.js';
import { readRow, type ShownRow } from '../../database/model/read.js';
import { currentOrganization, firstRow, rows } from '../../database/rows.js';
import { enqueue } from '../../database/outbox.js';
import { found } from '../../errors.js';
import { provisionAccount } from '../../../workflows/contracts/index.js';
import { intakeErrors } from '../errors.js';
import { readConfig } from './config.js';
import { ProvisioningRecord } from './ProvisioningRecord.js';
import type { Problem } from './vocabulary.js';

type Shown = ShownRow<typeof ProvisioningRecord>;

const SUBJECT = 'account_provisioning_record';
/** After which nothing of ours is at the reserved address: another try begins anew. */
const NOTHING_THERE: ReadonlySet<Problem | null> = new Set(['refused', 'other_provider']);

/** Goes on with one that failed or needs attention. @throws Refusal not_found, account_not_stuck, provisioning_refused */
export async function retryAccount(id: string): Promise<Shown> {
  const record = await lockRow(ProvisioningRecord, id);
  const { status, wants, problem, address, account_id } = record;
  if ((status !== 'failed' && status !== 'needs_attention') || problem === 'erased')
    throw intakeErrors.account_not_stuck();
  if ((await readConfig())?.waits === 'credentials_refused') throw intakeErrors.provisioning_refused();
  const anew = account_id === null && NOTHING_THERE.has(problem);
  const begins = anew || (address === null && account_id === null);
  await changeRow(ProvisioningRecord, id, {
    // Nobody knows whether one that is there is open: it is opened first.
    status: begins ? 'pending' : account_id !== null && wants === 'active' ? 'suspended' : 'creating',
    problem: null,
    ...(anew && { address: null, address_number: 0, provider: null }),
  });
  await enqueue(provisionAccount, { recordId: id });
  await audit({ action: `${SUBJECT}.retried`, subjectType: SUBJECT, subjectId: id, before: { status, problem } });
  return readRow(ProvisioningRecord, id);
}

/** Somebody's account in the open tenant: of several memberships the one that lets them in. @throws Refusal not_found */
export async function accountOf(userId: string): Promise<Shown> {
  const own = await firstRow<{ id: string }>(
    `SELECT r.id FROM memberships m
       JOIN account_provisioning_records r ON r.organization_id = m.organization_id AND r.membership_id = m.id
      WHERE m.organization_id = $1 AND m.user_id = $2 ORDER BY app.gives_access(m.status) DESC, r.id DESC LIMIT 1`,
    [currentOrganization(), userId],
  );
  return readRow(ProvisioningRecord, found(own).id);
}

/** Begins to set a password; of two at the same moment one does. @throws Refusal account_not_active, password_given */
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

/** The provider has it: it is shown now and never again. */
export async function notePassword(id: string): Promise<void> {
  await changeRow(ProvisioningRecord, id, { password_claimed_at: computed('NULL'), password_given_at: now });
  await audit({ action: `${SUBJECT}.password_set`, subjectType: SUBJECT, subjectId: id });
}

/** It was not set, as far as anybody knows: it may be asked for again. */
export const releasePassword = (id: string): Promise<unknown> =>
  changeRow(ProvisioningRecord, id, { password_claimed_at: computed('NULL') });

/** An account follows its person to the membership of another chapter, unless they have one there. */
export const moveAccount = (from: string, to: string): Promise<unknown> =>
  rows(
    `UPDATE account_provisioning_records SET membership_id = $3
      WHERE organization_id = $1 AND membership_id = $2 AND NOT EXISTS (
        SELECT FROM account_provisioning_records WHERE organization_id = $1 AND membership_id = $3)`,
    [currentOrganization(), from, to],
  );

/**
 * The address is made of a name: it goes, and what is not made yet is made no more. The provider's id stays, by which the
 * account is shut. @returns how many
 */
export async function forgetAccounts(userId: string): Promise<number> {
  const gone = await rows(
    `UPDATE account_provisioning_records r SET address = NULL,
            status = CASE WHEN r.account_id IS NULL THEN 'failed' ELSE r.status END,
            problem = CASE WHEN r.account_id IS NULL THEN 'erased' ELSE r.problem END
       FROM memberships m
      WHERE r.organization_id = $1 AND m.organization_id = $1 AND m.id = r.membership_id AND m.user_id = $2
        AND (r.address IS NOT NULL OR (r.account_id IS NULL AND r.problem IS DISTINCT FROM 'erased')) RETURNING r.id`,
    [currentOrganization(), userId],
  );
  return gone.length;
}
