/** Who has to do with the open tenant, and whether what could be told of is there for anybody. */
import { currentOrganization, firstRow } from '../database/rows.js';
import type { NotificationType } from './types.js';

export interface Subject {
  type: string;
  id: string;
}

/** SQL: whether a user has, or had, to do with the organization `$1`. */
const IS_KNOWN = (
  user: string,
): string => `(EXISTS (SELECT FROM memberships k WHERE k.organization_id = $1 AND k.user_id = ${user})
  OR EXISTS (SELECT FROM affiliations k WHERE k.organization_id = $1 AND k.user_id = ${user})
  OR EXISTS (SELECT FROM notifications k WHERE k.organization_id = $1 AND k.recipient_id = ${user}))`;

/** Whether somebody has, or had, to do with the open tenant. */
export async function isKnownHere(userId: string): Promise<boolean> {
  return (await firstRow(`SELECT 1 WHERE ${IS_KNOWN('$2::uuid')}`, [currentOrganization(), userId])) !== null;
}

/** Whether a type that goes by its subject names somebody of the open tenant: of a subject that is not there none does. */
export async function concernsAnybody(subject: Subject, types: readonly NotificationType[]): Promise<boolean> {
  const named = types.flatMap(({ recipients }) => (recipients?.includes('s.subject_id') ? [recipients] : []));
  if (named.length === 0) return false;
  const anybody = named.map(
    (recipients) => `EXISTS (SELECT FROM (${recipients}) told WHERE ${IS_KNOWN('told.user_id')})`,
  );
  const found = await firstRow(
    `SELECT FROM (SELECT $1::uuid AS organization_id, $2::uuid AS subject_id) s WHERE ${anybody.join(' OR ')}`,
    [currentOrganization(), subject.id],
  );
  return found !== null;
}
