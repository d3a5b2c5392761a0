/** Finds members whose name is similar to the name in an account request. */
import type { ShownRow } from '../../database/model/read.js';
import { currentOrganization, oneRow, rows } from '../../database/rows.js';
import { findAccountInTenant } from '../invitations/findPerson.js';
import type { MembershipStatus } from '../vocabulary.js';
import type { AccountRequest } from './AccountRequest.js';

export interface NameMatch {
  user: string;
  membership: string;
  chapter: string;
  first_name: string;
  last_name: string;
  status: MembershipStatus;
  /** Similarity from 0 to 1. */
  likeness: number;
}

const MAX_MATCHES = 20;
/**
 * The index search uses the threshold times this factor. The trigram index compares only one spelling of a hyphenated
 * name, but `app.name_similarity` compares three. The lower threshold also finds names that are similar only in another
 * spelling.
 */
const INDEX_THRESHOLD_FACTOR = 0.7;

interface RequestedName {
  first_name: string;
  last_name: string;
}

/** Returns the similarity from which two names count as a possible duplicate; 0 turns the check off. */
export const nameThreshold = async (): Promise<number> =>
  (
    await oneRow<{ threshold: number }>('SELECT name_check_threshold AS threshold FROM organizations WHERE id = $1', [
      currentOrganization(),
    ])
  ).threshold;

/**
 * Returns members with a similar name, the most similar first.
 * @param exceptUserId an account to leave out: the one that the request's address belongs to, if it is in this
 * organization
 */
export async function findNameMatches(
  { first_name, last_name }: RequestedName,
  threshold: number,
  exceptUserId: string | null = null,
): Promise<NameMatch[]> {
  if (threshold === 0) return [];
  await rows(`SELECT set_config('pg_trgm.similarity_threshold', $1, true)`, [
    String(threshold * INDEX_THRESHOLD_FACTOR),
  ]);
  return rows<NameMatch>(
    `SELECT * FROM (
       SELECT DISTINCT ON (u.id) u.id AS "user", m.id AS membership, m.chapter_id AS chapter, u.first_name, u.last_name, m.status,
              app.name_similarity(u.first_name || ' ' || u.last_name, $2) AS likeness
         FROM users u JOIN memberships m ON m.organization_id = $1 AND m.user_id = u.id
        WHERE lower(regexp_replace(normalize(u.first_name || ' ' || u.last_name, NFKD), '[\\u0300-\\u036f[:punct:]]', '', 'g'))
              % lower(regexp_replace(normalize($2, NFKD), '[\\u0300-\\u036f[:punct:]]', '', 'g'))
          AND u.id IS DISTINCT FROM $4::uuid
        ORDER BY u.id, m.id DESC) alike
      WHERE likeness >= $3::real ORDER BY likeness DESC, membership LIMIT ${MAX_MATCHES}`,
    [currentOrganization(), `${first_name} ${last_name}`, threshold, exceptUserId],
  );
}

/**
 * Returns the members whose names are similar to that in a pending request. Leaves out the account that already has the
 * request's address.
 */
export async function readMatches(
  request: RequestedName & Pick<ShownRow<typeof AccountRequest>, 'email' | 'status'>,
): Promise<NameMatch[]> {
  if (request.email === null || request.status !== 'pending') return [];
  return findNameMatches(request, await nameThreshold(), await findAccountInTenant(request.email));
}

/** Returns the similarity of the requested name and a person's name, from 0 to 1. */
export const nameSimilarity = async ({ first_name, last_name }: RequestedName, userId: string): Promise<number> =>
  (
    await oneRow<{ likeness: number }>(
      `SELECT app.name_similarity(first_name || ' ' || last_name, $2) AS likeness FROM users WHERE id = $1`,
      [userId, `${first_name} ${last_name}`],
    )
  ).likeness;
