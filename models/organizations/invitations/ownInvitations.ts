/** Invitations to the verified addresses of a signed-in person. */
import type { Origin } from '../../database/connection.js';
import { type Page, type PageRequest, requirePage } from '../../database/page.js';
import { firstRow, oneRow } from '../../database/rows.js';
import { inPlatform, inTenant } from '../../database/tenancy.js';
import { refuse } from '../../errors.js';
import { type AccountOrganization, findOrganization } from '../../identity/accounts.js';
import { verifiedAddresses } from '../../identity/emails/addresses.js';
import { emailErrors } from '../../identity/emails/errors.js';
import { identityErrors } from '../../identity/errors.js';
import { lockPerson } from '../../identity/lockPerson.js';
import { joinOrganization, lockOpenInvitation, type OpenInvitation } from './acceptInvitation.js';
import { decline } from './declineInvitation.js';

export interface OwnInvitation {
  id: string;
  organization: AccountOrganization;
  kind: 'member' | 'organization_admin' | 'regional_admin';
  chapter: string | null;
  region: string | null;
  role: string | null;
  title: string | null;
  /**
   * Time of the invitation mail. Null: none was sent, because the address had already received its one mail of the day.
   */
  mailed_at: string | null;
  expires_at: string;
}

/**
 * Lists the person's open invitations, newest first.
 * @throws Refusal page_not_found; mailbox_unproven if an admin set the password: such a person can neither see nor
 * answer invitations
 */
export async function listOwnInvitations(
  userId: string,
  { page, pageSize }: PageRequest,
): Promise<Page<OwnInvitation>> {
  await requireOwnPassword(userId);
  const invitations = await oneRow<Page<OwnInvitation>>(
    `WITH mine AS MATERIALIZED (SELECT * FROM app.invitations_to($1))
     SELECT (SELECT count(*)::int FROM mine) AS count,
            (SELECT coalesce(json_agg(r), '[]') FROM (
               SELECT i.id, json_build_object('id', o.id, 'name', o.name, 'slug', o.slug) AS organization, i.kind, i.chapter,
                      i.region, i.role, i.title, i.mailed_at, i.expires_at
                 FROM mine i JOIN organizations o ON o.id = i.organization_id ORDER BY i.id DESC LIMIT $2 OFFSET $3) r) AS results`,
    [await verifiedAddresses(userId), pageSize, (page - 1) * pageSize],
  );
  requirePage(page, invitations.results);
  return invitations;
}

interface Answer {
  userId: string;
  invitationId: string;
  origin: Origin;
  afterCommit: (outboxIds: string[]) => void;
}

/**
 * Accepts an invitation. Opens its own transaction in the inviting organization.
 * @returns the organization
 * @throws Refusal not_found; mailbox_unproven if an admin set the password; membership_exists
 */
export const acceptOwnInvitation = (answer: Answer): Promise<AccountOrganization> =>
  answerInvitation(answer, async (invitation) => {
    await joinOrganization(invitation, answer.userId);
    return (await findOrganization(invitation.organization_id)) as AccountOrganization;
  });

/**
 * Declines an invitation. Opens its own transaction in the inviting organization.
 * @throws Refusal not_found, mailbox_unproven
 */
export const declineOwnInvitation = (answer: Answer): Promise<void> => answerInvitation(answer, decline);

async function answerInvitation<T>(answer: Answer, work: (invitation: OpenInvitation) => Promise<T>): Promise<T> {
  const { userId, invitationId, origin, afterCommit } = answer;
  const findInvitation = async () =>
    firstRow<OpenInvitation>('SELECT id, organization_id, user_id FROM app.invitations_to($1) WHERE id = $2', [
      await verifiedAddresses(userId),
      invitationId,
    ]);
  const invitation = await inPlatform(findInvitation, { readOnly: true });
  if (!invitation) throw refuse.not_found();
  const lockAndAnswer = async () => {
    if ((await lockOpenInvitation(invitation, null)) === null) throw refuse.not_found();
    await lockPerson(userId);
    // The situation may have changed while waiting for the lock, so check again: the address may now belong to another
    // account, and the account may be disabled.
    if (!(await findInvitation())) throw refuse.not_found();
    await requireOwnPassword(userId);
    return work(invitation);
  };
  return inTenant(invitation.organization_id, lockAndAnswer, { origin, afterCommit });
}

/**
 * Refuses a person whose password was set by an admin, because the admin who knows the password may be the one who is
 * signed in.
 */
async function requireOwnPassword(userId: string): Promise<void> {
  const { disabled, given } = await oneRow<{ disabled: boolean; given: boolean }>(
    'SELECT disabled_at IS NOT NULL AS disabled, password_given_in IS NOT NULL AS given FROM users WHERE id = $1',
    [userId],
  );
  if (disabled) throw identityErrors.session_ended();
  if (given) throw emailErrors.mailbox_unproven();
}
