/** A version of an application counts: a prospective member comes of it, or what they said is replaced. */
import { changeRow, editRow, lockRow, now } from '../../database/model/change.js';
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
import { isOut } from '../pnm/stages.js';
import { askNamed } from '../reference-letters/referees.js';
import type { PnmStage } from '../vocabulary.js';
import { acceptByProof } from './acceptByProof.js';
import { ApplicationVersion } from './ApplicationVersion.js';
import { moveAttachments } from './attachments.js';
import { PnmApplication } from './PnmApplication.js';
import { tellOfApplication } from './tellOfApplication.js';

/**
 * @param isProven whether the mailbox has answered
 * @throws Refusal application_closed once somebody has begun to look at it, chapter_not_active
 */
export async function takeVersion(version: ApplicationVersion, { isProven }: { isProven: boolean }): Promise<void> {
  const application = await lockRow(PnmApplication, version.application_id);
  await requireActiveChapter(version.chapter_id);
  const isFirst = application.received_at === null;
  const { person, belowMinimumGpa } = version.contents;
  const standing = await standingOf(application.email);
  const nothing = standing.strange ?? null;
  const profile_id = nothing === null ? await keepProspect(application, version, standing.prospects) : null;
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
    standing: nothing,
    is_proven: isProven,
    below_minimum_gpa: belowMinimumGpa,
    profile_id,
    ...(isFirst && { received_at: new Date() }),
  });
  if (isProven && profile_id !== null) await knowMailbox(application, profile_id, version);
  const event = isFirst ? 'application_received' : 'application_replaced';
  await tellOfApplication(event, application, version.id);
}

/** Letters are asked for from now on: a mail to whom a stranger names would tell them that the address has no account. */
async function knowMailbox(
  { email }: PnmApplication,
  profileId: string,
  { contents }: ApplicationVersion,
): Promise<void> {
  await acceptByProof(email, profileId);
  await askNamed(profileId, contents.referees ?? []);
}

/** The mailbox of what counts already has answered. */
export async function proveVersion(version: ApplicationVersion): Promise<void> {
  const application = await lockRow(PnmApplication, version.application_id);
  await changeRow(ApplicationVersion, version.id, { confirm_hash: null, confirmed_at: now });
  await editRow(application, { is_proven: true });
  if (application.profile_id !== null) await knowMailbox(application, application.profile_id, version);
}

interface Prospective {
  membership_id: string;
  chapter_id: string;
  user_id: string;
  profile_id: string;
  stage: PnmStage;
}

/** Somebody whom the organization knows as more than a prospective member is none again. */
async function standingOf(email: string) {
  const known = await rows<Prospective & { member: boolean; former: boolean }>(
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
  if (known.some(({ member }) => member)) return { strange: 'already_member' as const, prospects: [] };
  if (known.some(({ former }) => former)) return { strange: 'former_member' as const, prospects: [] };
  return { strange: null, prospects: known };
}

/** @returns the profile that the application is about now */
async function keepProspect(
  application: PnmApplication,
  { chapter_id, contents }: ApplicationVersion,
  prospects: readonly Prospective[],
): Promise<string> {
  const before = prospects.find(({ profile_id }) => profile_id === application.profile_id);
  if (before && before.chapter_id !== chapter_id) await leave(before);
  const here = prospects.find((one) => one.chapter_id === chapter_id);
  const id = here ? await comeBack(here, application) : await begin(application, chapter_id, contents.person);
  const replaces = here !== undefined;
  const blank = replaces ? Object.fromEntries(STANDARD_FIELDS.map((name) => [name, null])) : {};
  const profile = await lockRow(PnmProfile, id);
  await editRow(profile, { ...blank, ...contents.fields, recruitment_period_id: application.recruitment_period_id });
  return id;
}

/** Another chapter now: in the first one nobody has looked at them. */
async function leave({ profile_id }: Prospective): Promise<void> {
  const prospect = await lockProspect(profile_id);
  if (isOut(prospect.profile.stage)) return;
  if (prospect.profile.stage !== 'not_started') throw intakeErrors.application_closed();
  await moveProspect(prospect, { to: 'withdrawn', reason: 'Applies to another chapter.' }, 'officer');
}

/** Who is waiting goes on waiting; who was out, in an earlier period or by their own hand, is back. */
async function comeBack({ profile_id }: Prospective, application: PnmApplication): Promise<string> {
  const { membership, profile } = await lockProspect(profile_id);
  if (profile.stage === 'not_started') return profile_id;
  const isOld = profile.recruitment_period_id !== application.recruitment_period_id;
  if (!(profile.stage === 'withdrawn' || (profile.stage === 'rejected' && isOld)))
    throw intakeErrors.application_closed();
  const { recruitment_period_id } = application;
  await editRow(profile, { stage: 'not_started', stage_reason: null, closed_from: null, recruitment_period_id });
  await changeMembership(membership, { status: 'pnm' }, { hand: null, source: 'intake', reason: 'Applied again.' });
  return profile_id;
}

async function begin({ email }: PnmApplication, chapterId: string, named: { first_name: string; last_name: string }) {
  const { userId } = await findPerson({ email, ...named });
  const membershipId = await addPerson(chapterId, userId, { role: 'member', status: 'pnm' });
  // A trigger has made it.
  return (await lockRow(PnmProfile, { membership_id: membershipId })).id;
}
