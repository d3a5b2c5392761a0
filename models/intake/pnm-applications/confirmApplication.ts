import { lockForEdit } from '../../database/model/change.js';
import { currentOrganization, firstRow } from '../../database/rows.js';
import { hashToken } from '../../identity/secretTokens.js';
import { intakeErrors } from '../errors.js';
import { lockActivePeriod } from '../recruitment-periods/lockActivePeriod.js';
import { ApplicationVersion } from './ApplicationVersion.js';
import { lockApplication } from './lockApplication.js';
import { proveVersion, makeVersionCurrent } from './makeVersionCurrent.js';

/**
 * Confirms the mailbox of a version with the mailed link; from then on the version counts. The recruitment period must
 * be active, even if its deadline for new applications has passed.
 * @throws Refusal application_link_invalid, application_closed, intake_closed, chapter_not_active
 */
export async function confirmApplication(token: string): Promise<void> {
  const sent = await firstRow<{ id: string; application_id: string }>(
    `SELECT id, application_id FROM pnm_application_versions
      WHERE organization_id = $1 AND confirm_hash = $2 AND confirm_until > now()`,
    [currentOrganization(), hashToken(token)],
  );
  if (!sent) throw intakeErrors.application_link_invalid();
  const application = await lockApplication(sent.application_id);
  const version = await lockForEdit(ApplicationVersion, sent.id);
  // If two requests confirm at the same time, the second one finds the link already used.
  if (version.confirm_hash === null) throw intakeErrors.application_link_invalid();
  if (!(await lockActivePeriod(application.recruitment_period_id))) throw intakeErrors.intake_closed();
  if (version.state === 'current') await proveVersion(version);
  else await makeVersionCurrent(version, { isProven: true });
}
