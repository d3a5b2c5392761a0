import { lockRow } from '../../database/model/change.js';
import { currentOrganization, firstRow } from '../../database/rows.js';
import { hashToken } from '../../identity/secretTokens.js';
import { intakeErrors } from '../errors.js';
import { holdRunning } from '../recruitment-periods/holdRunning.js';
import { ApplicationVersion } from './ApplicationVersion.js';
import { lockApplication } from './lockApplication.js';
import { proveVersion, takeVersion } from './takeVersion.js';

/**
 * The mailbox has answered: what was sent with it counts from now on. The period may have closed for new ones; it has to run still.
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
  const version = await lockRow(ApplicationVersion, sent.id);
  // Of two at once, the other finds it used.
  if (version.confirm_hash === null) throw intakeErrors.application_link_invalid();
  if (!(await holdRunning(application.recruitment_period_id))) throw intakeErrors.intake_closed();
  if (version.state === 'current') await proveVersion(version);
  else await takeVersion(version, { isProven: true });
}
