import { auditAll, changes } from '../../database/audit.js';
import { currentOrganization, rows } from '../../database/rows.js';
import { notify } from '../../notifications/notify.js';
import { notifications } from '../notifications.js';
import { withChangeContext } from './history.js';

export interface AdmittedMember {
  membership: string;
  line_number: number | null;
}

export interface Admission {
  status: 'undergrad' | 'associate';
  /**
   * The day of the admission, by the organization's calendar. If the member's history has a later change, the admission
   * takes effect after that change.
   */
  day: string;
  /** Distinguishes the notifications of several admissions. */
  cause: string;
}

/**
 * Makes locked prospective members regular members, as `changeMembership` does for one membership. The number of
 * statements does not depend on the number of members. The members are notified.
 */
export async function admitMembers(
  members: readonly AdmittedMember[],
  { status, day, cause }: Admission,
): Promise<void> {
  const before = await withChangeContext({ source: 'crossing', notBefore: day }, () => admit(members, status));
  await auditAll(
    before.map(({ id, was_status, was_number, line_number }) => ({
      action: 'membership.updated',
      subjectType: 'membership',
      subjectId: id,
      person: { membershipId: id },
      ...changes<Record<string, unknown>>({ status: was_status, line_number: was_number }, { status, line_number }),
    })),
  );
  const ids = members.map(({ membership }) => membership);
  await notify(notifications.membership_changed, ids, { cause: `changed:${cause}` });
}

interface PreviousState {
  id: string;
  was_status: string;
  was_number: number | null;
  line_number: number | null;
}

const admit = (members: readonly AdmittedMember[], status: Admission['status']): Promise<PreviousState[]> =>
  rows<PreviousState>(
    `UPDATE memberships m SET status = $2, line_number = l.line_number
       FROM jsonb_to_recordset($3) AS l (membership uuid, line_number int)
       JOIN memberships was ON was.organization_id = $1 AND was.id = l.membership
      WHERE m.organization_id = $1 AND m.id = was.id
      RETURNING m.id, was.status AS was_status, was.line_number AS was_number, m.line_number`,
    [
      currentOrganization(),
      status,
      JSON.stringify(members.map(({ membership, line_number }) => ({ membership, line_number }))),
    ],
  );
