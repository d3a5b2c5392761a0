import { currentOrganization, oneRow } from '../../database/rows.js';
import { enqueueNotice } from '../../identity/notices/enqueueNotice.js';
import { notify } from '../../notifications/notify.js';
import { notifications } from '../notifications.js';

/**
 * Notifies a person who already has an account in the organization, and therefore needs no invitation.
 * @param subjectId the membership or office that they have now
 * @param at the chapter that they are added to, or the region of an office
 */
export async function notifyAddedPerson(
  userId: string,
  kind: 'membership_added' | 'office_given',
  subjectId: string,
  at: { chapterId?: string; regionId?: string } = {},
): Promise<void> {
  const { organization, chapter, office } = await oneRow<Record<'organization' | 'chapter' | 'office', string | null>>(
    `SELECT o.name AS organization,
            (SELECT name FROM chapters WHERE organization_id = $1 AND id = $2) AS chapter,
            coalesce('Administrator of the region ' || (SELECT name FROM regions WHERE organization_id = $1 AND id = $3),
                     'Administrator') AS office
       FROM organizations o WHERE o.id = $1`,
    [currentOrganization(), at.chapterId ?? null, at.regionId ?? null],
  );
  const facts = { organization: organization ?? '', ...(chapter === null ? { office: office ?? '' } : { chapter }) };
  await enqueueNotice({ userId, kind, facts });
  await notify(notifications[kind], [subjectId], { to: [userId] });
}
