/** Who writes letters about an applicant, as the applicant names them. */
import { lockRow } from '../../database/model/change.js';
import { currentOrganization, firstRow, rows } from '../../database/rows.js';
import { found, Refusal, refuse } from '../../errors.js';
import { hashToken } from '../../identity/secretTokens.js';
import { intakeErrors } from '../errors.js';
import { PnmProfile } from '../pnm/PnmProfile.js';
import { LINK_HOLDS } from '../pnm-applications/linkHolds.js';
import { readApplicationConfig } from '../pnm-config/config.js';
import { closeLetter } from './closeLetter.js';
import { mailboxOf } from './mailbox.js';
import { ReferenceLetter } from './ReferenceLetter.js';
import { type Referee, requestLetter } from './requestLetter.js';

interface Asked {
  id: string;
  email: string;
  status: 'requested' | 'submitted';
  /** Named by the applicant. */
  is_own: boolean;
}

/** Who is asked, or has written, whoever named them. */
const askedAbout = (profileId: string): Promise<Asked[]> =>
  rows<Asked>(
    `SELECT id, email, status, requested_by IS NULL AS is_own FROM pnm_reference_letters
      WHERE organization_id = $1 AND profile_id = $2 AND status IN ('requested', 'submitted') ORDER BY id`,
    [currentOrganization(), profileId],
  );

async function cancel(letterId: string): Promise<void> {
  const letter = await lockRow(ReferenceLetter, letterId);
  if (letter.status === 'requested') await closeLetter(letter, 'cancelled');
}

/**
 * Those of a version that counts now are asked; whom it does not name any more is not waited for. A letter that came stays, and so
 * does what an officer has asked for. Who cannot be asked keeps no application from counting: the letter is missing then.
 */
export async function askNamed(profileId: string, referees: readonly Referee[]): Promise<void> {
  const profile = await lockRow(PnmProfile, profileId);
  if (profile.stage !== 'not_started') return;
  const before = await askedAbout(profileId);
  const named = new Set(referees.map(({ email }) => mailboxOf(email)));
  for (const { id, email, is_own } of before) if (is_own && !named.has(mailboxOf(email))) await cancel(id);
  const asked = new Set(before.map(({ email }) => mailboxOf(email)));
  for (const referee of referees) if (!asked.has(mailboxOf(referee.email))) await askIfPossible(profile, referee);
}

/** An address of the applicant's own, or one too many: found before anything is written. */
const NOT_ASKED: ReadonlySet<string> = new Set([refuse.validation_error.code, intakeErrors.referees_complete.code]);

async function askIfPossible(profile: PnmProfile, referee: Referee): Promise<void> {
  try {
    await requestLetter(profile, referee, null);
  } catch (error) {
    if (!(error instanceof Refusal && NOT_ASKED.has(error.code))) throw error;
  }
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
  const waiting = (await askedAbout(profile_id)).filter(({ is_own }) => is_own);
  if (replaces !== undefined) {
    found(waiting.find(({ id, status }) => id === replaces && status === 'requested') ?? null);
    await cancel(replaces);
  } else if (waiting.length >= (await readApplicationConfig()).reference_letters)
    throw intakeErrors.referees_complete();
  await requestLetter(profile, referee, null);
}
