/**
 * Makes a version of an application count: creates a prospective member from it, or replaces the answers of an existing
 * prospective member.
 */
import { changeRow, editRow, lockForEdit, now } from '../../database/model/change.js';
import { currentOrganization, rows } from '../../database/rows.js';
import { USER_ID_BY_EMAIL } from '../../identity/accounts.js';
import { addPerson } from '../../organizations/addMember.js';
import { requireActiveChapter } from '../../organizations/chapters.js';
import { changeMembership } from '../../organizations/changeMembership.js';
import { findPerson } from '../../organizations/invitations/findPerson.js';
import { STANDARD_FIELDS } from '../pnm-config/vocabulary.js';
import { intakeErrors } from '../errors.js';
import { lockProspect, moveProspect } from '../pnm/moveProspect.js';
import { PnmProfile } from '../pnm/PnmProfile.js';
import { hasLeftIntake } from '../pnm/stages.js';
import { requestNamedLetters } from '../reference-letters/referees.js';
import type { PnmStage } from '../vocabulary.js';
import { linkProvenAccount } from './linkProvenAccount.js';
import { ApplicationVersion } from './ApplicationVersion.js';
import { moveAttachments } from './attachments.js';
import { PnmApplication } from './PnmApplication.js';
import { notifyOfApplication } from './notifyOfApplication.js';

/**
 * Makes a version the current one.
 * @param isProven whether the mailbox is confirmed
 * @throws Refusal application_closed once a review has begun, chapter_not_active
 */
export async function makeVersionCurrent(
  version: ApplicationVersion,
  { isProven }: { isProven: boolean },
): Promise<void> {
  const application = await lockForEdit(PnmApplication, version.application_id);
  await requireActiveChapter(version.chapter_id);
  const isFirst = application.received_at === null;
  const { person, belowMinimumGpa } = version.contents;
  const applicant = await readApplicant(application.email);
  const memberStanding = applicant.memberStanding ?? null;
  const profile_id = memberStanding === null ? await saveProspect(application, version, applicant.prospects) : null;
  await rows(
    `UPDATE pnm_application_versions SET state = 'archived', confirm_hash = NULL
      WHERE organization_id = $1 AND application_id = $2 AND id <> $3 AND (state = 'current' OR id < $3)`,
    [currentOrganization(), application.id, version.id],
  );
  await changeRow(ApplicationVersion, version.id, {
    state: 'current',
    ...(isProven && { confirm_hash: null, confirmed_at: now }),
  });
  await moveAttachments(version.id);
  await editRow(application, {
    ...person,
    chapter_id: version.chapter_id,
    state: 'received',
    standing: memberStanding,
    is_proven: isProven,
    below_minimum_gpa: belowMinimumGpa,
    profile_id,
    ...(isFirst && { received_at: new Date() }),
  });
  if (isProven && profile_id !== null) await acceptMailbox(application, profile_id, version);
  const event = isFirst ? 'application_received' : 'application_replaced';
  await notifyOfApplication(event, application, version.id);
}

/**
 * Runs when the mailbox is confirmed: links the account that has the address, and requests the reference letters. The
 * letters are not requested earlier, because a mail to a referee would disclose to an anonymous client that the address
 * has no account.
 */
async function acceptMailbox(
  { email }: PnmApplication,
  profileId: string,
  { contents }: ApplicationVersion,
): Promise<void> {
  await linkProvenAccount(email, profileId);
  await requestNamedLetters(profileId, contents.referees ?? []);
}

/** Records that the applicant confirmed the mailbox, for a version that became current before the confirmation. */
export async function proveVersion(version: ApplicationVersion): Promise<void> {
  const application = await lockForEdit(PnmApplication, version.application_id);
  await changeRow(ApplicationVersion, version.id, { confirm_hash: null, confirmed_at: now });
  await editRow(application, { is_proven: true });
  if (application.profile_id !== null) await acceptMailbox(application, application.profile_id, version);
}

interface ProspectRow {
  membership_id: string;
  chapter_id: string;
  user_id: string;
  profile_id: string;
  stage: PnmStage;
}

/**
 * Finds out what the organization knows about the address. A person who is or was a member or admin does not become a
 * prospective member.
 */
async function readApplicant(email: string) {
  const memberships = await rows<ProspectRow & { member: boolean; former: boolean }>(
    `WITH people AS (SELECT ${USER_ID_BY_EMAIL.replaceAll('$1', '$2')} AS id
       UNION SELECT id FROM users WHERE typed_email = $2 AND placeholder_in = $1)
     SELECT m.id AS membership_id, m.chapter_id, m.user_id, p.id AS profile_id, p.stage, app.gives_access(m.status) AS member,
            m.status <> 'pnm' AND (m.status <> 'inactive' OR p.stage IS NULL OR p.stage NOT IN ('rejected', 'withdrawn')) AS former
       FROM people JOIN memberships m ON m.organization_id = $1 AND m.user_id = people.id
       LEFT JOIN pnm_profiles p ON p.organization_id = $1 AND p.membership_id = m.id
     UNION ALL
     SELECT NULL, NULL, o.user_id, NULL, NULL, true, true FROM people
       JOIN (SELECT user_id FROM organization_admins WHERE organization_id = $1
             UNION ALL SELECT user_id FROM regional_admins WHERE organization_id = $1) o ON o.user_id = people.id`,
    [currentOrganization(), email],
  );
  if (memberships.some(({ member }) => member)) return { memberStanding: 'already_member' as const, prospects: [] };
  if (memberships.some(({ former }) => former)) return { memberStanding: 'former_member' as const, prospects: [] };
  return { memberStanding: null, prospects: memberships };
}

/**
 * Creates or reopens the prospective member of an application.
 * @returns the id of their profile
 */
async function saveProspect(
  application: PnmApplication,
  { chapter_id, contents }: ApplicationVersion,
  prospects: readonly ProspectRow[],
): Promise<string> {
  const previous = prospects.find(({ profile_id }) => profile_id === application.profile_id);
  if (previous && previous.chapter_id !== chapter_id) await leaveChapter(previous);
  const inChapter = prospects.find((one) => one.chapter_id === chapter_id);
  const id = inChapter
    ? await reopenProspect(inChapter, application)
    : await createProspect(application, chapter_id, contents.person);
  const replaces = inChapter !== undefined;
  const blank = replaces ? Object.fromEntries(STANDARD_FIELDS.map((name) => [name, null])) : {};
  const profile = await lockForEdit(PnmProfile, id);
  await editRow(profile, { ...blank, ...contents.fields, recruitment_period_id: application.recruitment_period_id });
  return id;
}

/**
 * Withdraws the prospective member from the chapter to which they applied before. Refused once that chapter has begun a
 * review.
 */
async function leaveChapter({ profile_id }: ProspectRow): Promise<void> {
  const prospect = await lockProspect(profile_id);
  if (hasLeftIntake(prospect.profile.stage)) return;
  if (prospect.profile.stage !== 'not_started') throw intakeErrors.application_closed();
  await moveProspect(prospect, { to: 'withdrawn', reason: 'Applies to another chapter.' }, 'officer');
}

/**
 * Reopens a prospective member. A person who still waits for a review is not changed. A person who has withdrawn, or
 * was rejected in an earlier period, begins the intake again. In all other cases the application is refused.
 */
async function reopenProspect({ profile_id }: ProspectRow, application: PnmApplication): Promise<string> {
  const { membership, profile } = await lockProspect(profile_id);
  if (profile.stage === 'not_started') return profile_id;
  const isOld = profile.recruitment_period_id !== application.recruitment_period_id;
  if (!(profile.stage === 'withdrawn' || (profile.stage === 'rejected' && isOld)))
    throw intakeErrors.application_closed();
  const { recruitment_period_id } = application;
  await editRow(profile, { stage: 'not_started', stage_reason: null, closed_from: null, recruitment_period_id });
  await changeMembership(
    membership,
    { status: 'pnm' },
    { authority: null, source: 'intake', reason: 'Applied again.' },
  );
  return profile_id;
}

async function createProspect(
  { email }: PnmApplication,
  chapterId: string,
  named: { first_name: string; last_name: string },
) {
  const { userId } = await findPerson({ email, ...named });
  const membershipId = await addPerson(chapterId, userId, { role: 'member', status: 'pnm' });
  // A trigger has created the profile together with the membership.
  return (await lockForEdit(PnmProfile, { membership_id: membershipId })).id;
}
