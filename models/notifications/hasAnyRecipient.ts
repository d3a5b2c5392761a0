/** Reports whether the current tenant knows a person, and whether a subject has any recipient in the tenant. */
import { currentOrganization, firstRow } from '../database/rows.js';
import { recipientsSql } from './statements.js';
import { ADMINS, type NotificationType } from './types.js';

export interface Subject {
  type: string;
  id: string;
}

/**
 * Returns an SQL condition: the organization `$1` knows the user, because they have, or had, a membership, an office or
 * a notification there.
 */
const isKnownSql = (
  user: string,
): string => `(EXISTS (SELECT FROM memberships k WHERE k.organization_id = $1 AND k.user_id = ${user})
  OR EXISTS (SELECT FROM affiliations k WHERE k.organization_id = $1 AND k.user_id = ${user})
  OR EXISTS (SELECT FROM notifications k WHERE k.organization_id = $1 AND k.recipient_id = ${user}))`;

/** Reports whether a person has, or had, a membership, an office or a notification in the tenant of the transaction. */
export async function isKnownToTenant(userId: string): Promise<boolean> {
  return (await firstRow(`SELECT 1 WHERE ${isKnownSql('$2::uuid')}`, [currentOrganization(), userId])) !== null;
}

/**
 * Reports whether the recipient rule of any of the types names a person of the tenant for this subject. Ignores types
 * whose recipients do not depend on the subject. Returns false if the subject does not exist.
 */
export async function hasAnyRecipient(subject: Subject, types: readonly NotificationType[]): Promise<boolean> {
  const named = types.flatMap(({ recipients }) => (recipients && recipients !== ADMINS ? [recipients] : []));
  if (named.length === 0) return false;
  const recipientChecks = named.map(
    (recipients) => `EXISTS (SELECT FROM ${recipientsSql(recipients)} told WHERE ${isKnownSql('told.user_id')})`,
  );
  const row = await firstRow(
    `SELECT FROM (SELECT $1::uuid AS organization_id, $2::uuid AS subject_id) s WHERE ${recipientChecks.join(' OR ')}`,
    [currentOrganization(), subject.id],
  );
  return row !== null;
}
