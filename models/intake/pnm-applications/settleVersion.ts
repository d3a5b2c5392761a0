/**
 * Carries out the action that an applicant requested for a version without a confirmed mailbox. A background process
 * does this, because its duration depends on whether the address is known and the response time of the request must not
 * reveal that.
 */
import { changeRow, lockForEditIfExists, removeRow } from '../../database/model/change.js';
import { loadIfExists } from '../../database/model/read.js';
import { currentOrganization, firstRow } from '../../database/rows.js';
import { RowMissing } from '../../errors.js';
import { USER_ID_BY_EMAIL } from '../../identity/accounts.js';
import { isActiveChapter } from '../../organizations/chapters.js';
import { lockActivePeriod } from '../recruitment-periods/lockActivePeriod.js';
import { ApplicationVersion } from './ApplicationVersion.js';
import { lockApplication } from './lockApplication.js';
import type { PnmApplication } from './PnmApplication.js';
import { withdrawVersion } from './withdrawVersion.js';
import { makeVersionCurrent } from './makeVersionCurrent.js';

/**
 * Carries out the requested action of a version; a repeated call does nothing.
 * @returns `waiting` if the version is to count but its period is closed; it counts once the period is reopened
 * @throws RowMissing
 */
export async function settleVersion(id: string): Promise<'settled' | 'waiting'> {
  const existing = await loadIfExists(ApplicationVersion, id);
  const application = existing && (await lockApplication(existing.application_id));
  const version = await lockForEditIfExists(ApplicationVersion, id);
  if (!(application && version)) throw new RowMissing('There is no such application.');
  const { wants } = version;
  if (wants === 'counted' && !(await countVersion(application, version))) return 'waiting';
  if (wants === 'withdrawn' || wants === 'erased')
    await withdrawUnlessReplaced(application, version, wants === 'erased');
  if (wants !== null) await changeRow(ApplicationVersion, id, { wants: null, wanted_at: null });
  return 'settled';
}

/**
 * Makes the version count if it is the first one of an unknown address. Otherwise the version waits until its mailbox
 * is confirmed.
 * @returns false if the period is closed, because the decision is then postponed
 */
async function countVersion(
  { email, recruitment_period_id }: PnmApplication,
  version: ApplicationVersion,
): Promise<boolean> {
  // Nothing is left to decide: the mailed link of this version, or of a later one, was opened meanwhile.
  if (version.state !== 'pending' || version.confirm_hash === null) return true;
  if (!(await lockActivePeriod(recruitment_period_id))) return false;
  if ((await isKnownAnywhere(email)) || !(await isActiveChapter(version.chapter_id))) return true;
  await makeVersionCurrent(version, { isProven: false });
  return true;
}

/**
 * Withdraws a version. If a later version has replaced it meanwhile, nothing is withdrawn; the version is deleted if
 * its erasure was requested.
 */
async function withdrawUnlessReplaced(
  application: PnmApplication,
  version: ApplicationVersion,
  erase: boolean,
): Promise<void> {
  if (version.state !== 'archived') return withdrawVersion(application, version, { erase });
  if (erase) await removeRow(ApplicationVersion, version.id);
}

const isKnownAnywhere = async (email: string): Promise<boolean> =>
  (await firstRow(
    `SELECT FROM users WHERE id = ${USER_ID_BY_EMAIL} UNION ALL SELECT FROM users WHERE typed_email = $1 AND placeholder_in = $2`,
    [email, currentOrganization()],
  )) !== null;
