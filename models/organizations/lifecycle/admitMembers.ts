import { auditAll, changes } from '../../database/audit.js';
import { currentOrganization, rows } from '../../database/rows.js';
import { notify } from '../../notifications/notify.js';
import { told } from '../notifications.js';
import { explained } from './history.js';

export interface Admitted {
  membership: string;
  line_number: number | null;
}

export interface Admission {
  status: 'undergrad' | 'associate';
  /** By the organization's calendar; whose history does not allow it has it later. */
  day: string;
  /** Tells those apart who are told of several. */
  cause: string;
}

/**
 * Makes members of locked prospective ones, as `changeMembership` does of one: in as many statements for a line as for a single
 * member. Whose membership it is hears of it.
 */
export async function admitMembers(line: readonly Admitted[], { status, day, cause }: Admission): Promise<void> {
  const before = await explained({ source: 'crossing', notBefore: day }, () => admit(line, status));
  await auditAll(
    before.map(({ id, was_status, was_number, line_number }) => ({
      action: 'membership.updated',
      subjectType: 'membership',
      subjectId: id,
      person: { membershipId: id },
      ...changes<Record<string, unknown>>({ status: was_status, line_number: was_number }, { status, line_number }),
    })),
  );
  const ids = line.map(({ membership }) => membership);
  await notify(told.membership_changed, ids, { cause: `changed:${cause}` });
}

interface Before {
  id: string;
  was_status: string;
  was_number: number | null;
  line_number: number | null;
}

const admit = (line: readonly Admitted[], status: Admission['status']): Promise<Before[]> =>
  rows<Before>(
    `UPDATE memberships m SET status = $2, line_number = l.line_number
       FROM jsonb_to_recordset($3) AS l (membership uuid, line_number int)
       JOIN memberships was ON was.organization_id = $1 AND was.id = l.membership
      WHERE m.organization_id = $1 AND m.id = was.id
      RETURNING m.id, was.status AS was_status, was.line_number AS was_number, m.line_number`,
    [
      currentOrganization(),
      status,
      JSON.stringify(line.map(({ membership, line_number }) => ({ membership, line_number }))),
    ],
  );
