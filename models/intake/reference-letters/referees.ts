/** Who writes letters about an applicant, as the applicant names them. */
import { lockRow } from '../../database/model/change.js';
import { currentOrganization, firstRow, rows } from '../../database/rows.js';
import { found } from '../../errors.js';
import { hashToken } from '../../identity/secretTokens.js';
import { intakeErrors } from '../errors.js';
import { PnmProfile } from '../pnm/PnmProfile.js';
import { LINK_HOLDS } from '../pnm-applications/linkHolds.js';
import { readApplicationConfig } from '../pnm-config/config.js';
import { closeLetter } from './closeLetter.js';
import { ReferenceLetter } from './ReferenceLetter.js';
import { type Referee, requestLetter } from './requestLetter.js';

interface Named {
  id: string;
  email: string;
  status: 'requested' | 'submitted';
}

const namedBy = (profileId: string): Promise<Named[]> =>
  rows<Named>(
    `SELECT id, email, status FROM pnm_reference_letters WHERE organization_id = $1 AND profile_id = $2
        AND status IN ('requested', 'submitted') AND requested_by IS NULL ORDER BY id`,
    [currentOrganization(), profileId],
  );

async function cancel(letterId: string): Promise<void> {
  const letter = await lockRow(ReferenceLetter, letterId);
  if (letter.status === 'requested') await closeLetter(letter, 'cancelled');
}

/** Those of a version that counts now are asked; whom it does not name any more is not waited for. A letter that came stays. */
export async function askNamed(profileId: string, referees: readonly Referee[]): Promise<void> {
  const profile = await lockRow(PnmProfile, profileId);
  if (profile.stage !== 'not_started') return;
  const before = await namedBy(profileId);
  const named = new Set(referees.map(({ email }) => email));
  for (const { id, email } of before) if (!named.has(email)) await cancel(id);
  const asked = new Set(before.map(({ email }) => email));
  for (const referee of referees) if (!asked.has(referee.email)) await requestLetter(profile, referee, null);
}

/**
 * An applicant names somebody, or somebody else in the place of one who has not written.
 * @param replaces a letter of theirs that is waited for
 * @throws Refusal not_found, application_unconfirmed before the mailbox has answered, application_closed, referees_complete, letter_requested, validation_error
 */
export async function nameReferee(
  token: string,
  { replaces, ...referee }: Referee & { replaces?: string | undefined },
) {
  const { profile_id, is_proven } = found(
    await firstRow<{ profile_id: string | null; is_proven: boolean }>(
      `SELECT a.profile_id, v.confirmed_at IS NOT NULL AS is_proven FROM pnm_application_versions v
         JOIN pnm_applications a ON a.organization_id = $1 AND a.id = v.application_id
        WHERE v.organization_id = $1 AND v.token_hash = $2 AND ${LINK_HOLDS}`,
      [currentOrganization(), hashToken(token)],
    ),
  );
  if (!is_proven) throw intakeErrors.application_unconfirmed();
  if (profile_id === null) throw intakeErrors.application_closed();
  const profile = await lockRow(PnmProfile, profile_id);
  if (profile.stage !== 'not_started') throw intakeErrors.application_closed();
  const waiting = await namedBy(profile_id);
  if (replaces !== undefined) {
    found(waiting.find(({ id, status }) => id === replaces && status === 'requested') ?? null);
    await cancel(replaces);
  } else if (waiting.length >= (await readApplicationConfig()).reference_letters)
    throw intakeErrors.referees_complete();
  await requestLetter(profile, referee, null);
}
