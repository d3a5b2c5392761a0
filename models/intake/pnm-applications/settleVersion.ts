/** What was asked for while no proof was wanted, and what it takes depends on whose address it is. */
import { changeRow, lockIfThere, removeRow } from '../../database/model/change.js';
import { loadIfThere } from '../../database/model/read.js';
import { currentOrganization, firstRow } from '../../database/rows.js';
import { RowMissing } from '../../errors.js';
import { USER_ID_BY_EMAIL } from '../../identity/accounts.js';
import { isActiveChapter } from '../../organizations/chapters.js';
import { holdRunning } from '../recruitment-periods/holdRunning.js';
import { ApplicationVersion } from './ApplicationVersion.js';
import { lockApplication } from './lockApplication.js';
import type { PnmApplication } from './PnmApplication.js';
import { takeBack } from './takeBack.js';
import { takeVersion } from './takeVersion.js';

/**
 * Done already, it does nothing.
 * @returns `waiting` where it is asked to count and its period is closed: it does once that is opened again
 * @throws RowMissing
 */
export async function settleVersion(id: string): Promise<'settled' | 'waiting'> {
  const sent = await loadIfThere(ApplicationVersion, id);
  const application = sent && (await lockApplication(sent.application_id));
  const version = await lockIfThere(ApplicationVersion, id);
  if (!(application && version)) throw new RowMissing('There is no such application.');
  const { wants } = version;
  if (wants === 'counted' && !(await count(application, version))) return 'waiting';
  if (wants === 'withdrawn' || wants === 'erased') await leave(application, version, wants === 'erased');
  if (wants !== null) await changeRow(ApplicationVersion, id, { wants: null, wanted_at: null });
  return 'settled';
}

/**
 * The first one of an address that nobody has counts from now on; any other waits for its mail.
 * @returns false where nobody can say yet
 */
async function count({ email, recruitment_period_id }: PnmApplication, version: ApplicationVersion): Promise<boolean> {
  // Its mail was answered meanwhile, or a later one's.
  if (version.state !== 'pending' || version.confirm_hash === null) return true;
  if (!(await holdRunning(recruitment_period_id))) return false;
  if ((await isKnownAnywhere(email)) || !(await isActiveChapter(version.chapter_id))) return true;
  await takeVersion(version, { isProven: false });
  return true;
}

/** What was replaced meanwhile is nobody's place in the queue any more. */
async function leave(application: PnmApplication, version: ApplicationVersion, erase: boolean): Promise<void> {
  if (version.state !== 'archived') return takeBack(application, version, { erase });
  if (erase) await removeRow(ApplicationVersion, version.id);
}

const isKnownAnywhere = async (email: string): Promise<boolean> =>
  (await firstRow(
    `SELECT FROM users WHERE id = ${USER_ID_BY_EMAIL} UNION ALL SELECT FROM users WHERE typed_email = $1 AND placeholder_in = $2`,
    [email, currentOrganization()],
  )) !== null;
