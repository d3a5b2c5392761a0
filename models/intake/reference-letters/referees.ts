/** Manages the referees whom applicants name. */
import { lockForEdit } from '../../database/model/change.js';
import { currentOrganization, firstRow, rows } from '../../database/rows.js';
import { requireFound, Refusal, refuse } from '../../errors.js';
import { hashToken } from '../../identity/secretTokens.js';
import { intakeErrors } from '../errors.js';
import { PnmProfile } from '../pnm/PnmProfile.js';
import { LINK_IS_VALID } from '../pnm-applications/linkAccess.js';
import { readApplicationConfig } from '../pnm-config/config.js';
import { closeLetter } from './closeLetter.js';
import { mailboxOf } from './mailbox.js';
import { ReferenceLetter } from './ReferenceLetter.js';
import { type Referee, requestLetter } from './requestLetter.js';

interface OpenLetter {
  id: string;
  email: string;
  status: 'requested' | 'submitted';
  /** Whether the applicant, and not an officer, named the referee. */
  is_own: boolean;
}

/** Reads the requested and received letters, regardless of who named the referee. */
const readOpenLetters = (profileId: string): Promise<OpenLetter[]> =>
  rows<OpenLetter>(
    `SELECT id, email, status, requested_by IS NULL AS is_own FROM pnm_reference_letters
      WHERE organization_id = $1 AND profile_id = $2 AND status IN ('requested', 'submitted') ORDER BY id`,
    [currentOrganization(), profileId],
  );

async function cancel(letterId: string): Promise<void> {
  const letter = await lockForEdit(ReferenceLetter, letterId);
  if (letter.status === 'requested') await closeLetter(letter, 'cancelled');
}

/**
 * Requests letters from the referees whom the current version of the application names, and cancels requests to
 * referees whom it no longer names. Received letters and requests of officers stay. A referee who cannot be asked does
 * not prevent the application; the letter then counts as missing.
 */
export async function requestNamedLetters(profileId: string, referees: readonly Referee[]): Promise<void> {
  const profile = await lockForEdit(PnmProfile, profileId);
  if (profile.stage !== 'not_started') return;
  const existing = await readOpenLetters(profileId);
  const namedMailboxes = new Set(referees.map(({ email }) => mailboxOf(email)));
  for (const { id, email, is_own } of existing) if (is_own && !namedMailboxes.has(mailboxOf(email))) await cancel(id);
  const requestedMailboxes = new Set(existing.map(({ email }) => mailboxOf(email)));
  for (const referee of referees)
    if (!requestedMailboxes.has(mailboxOf(referee.email))) await requestLetterIfPossible(profile, referee);
}

/**
 * Refusals that do not prevent the application: the referee's address is the applicant's own, or there are too many
 * letters. Both refusals occur before anything is written.
 */
const IGNORED_REFUSALS: ReadonlySet<string> = new Set([
  refuse.validation_error.code,
  intakeErrors.referees_complete.code,
]);

async function requestLetterIfPossible(profile: PnmProfile, referee: Referee): Promise<void> {
  try {
    await requestLetter(profile, referee, null);
  } catch (error) {
    if (!(error instanceof Refusal && IGNORED_REFUSALS.has(error.code))) throw error;
  }
}

/**
 * Adds a referee whom the applicant names, or replaces one whose letter has not arrived.
 * @param replaces id of the requested letter to replace
 * @throws Refusal not_found, application_unconfirmed before the mailbox is confirmed, application_closed,
 * referees_complete, letter_requested, validation_error
 */
export async function nameReferee(
  token: string,
  { replaces, ...referee }: Referee & { replaces?: string | undefined },
) {
  const { profile_id, is_proven } = requireFound(
    await firstRow<{ profile_id: string | null; is_proven: boolean }>(
      `SELECT a.profile_id, v.confirmed_at IS NOT NULL AS is_proven FROM pnm_application_versions v
         JOIN pnm_applications a ON a.organization_id = $1 AND a.id = v.application_id
        WHERE v.organization_id = $1 AND v.token_hash = $2 AND ${LINK_IS_VALID}`,
      [currentOrganization(), hashToken(token)],
    ),
  );
  if (!is_proven) throw intakeErrors.application_unconfirmed();
  if (profile_id === null) throw intakeErrors.application_closed();
  const profile = await lockForEdit(PnmProfile, profile_id);
  if (profile.stage !== 'not_started') throw intakeErrors.application_closed();
  const own = (await readOpenLetters(profile_id)).filter(({ is_own }) => is_own);
  if (replaces !== undefined) {
    requireFound(own.find(({ id, status }) => id === replaces && status === 'requested') ?? null);
    await cancel(replaces);
  } else if (own.length >= (await readApplicationConfig()).reference_letters) throw intakeErrors.referees_complete();
  await requestLetter(profile, referee, null);
}
