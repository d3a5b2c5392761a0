/** Whoever asks for an account may be on the roster already, under another address. */
import type { ShownRow } from '../../database/model/read.js';
import { currentOrganization, oneRow, rows } from '../../database/rows.js';
import { findKnown } from '../invitations/findPerson.js';
import type { MembershipStatus } from '../vocabulary.js';
import type { AccountRequest } from './AccountRequest.js';

export interface NameMatch {
  user: string;
  membership: string;
  chapter: string;
  first_name: string;
  last_name: string;
  status: MembershipStatus;
  /** From 0 to 1. */
  likeness: number;
}

const MOST = 20;
/** The index knows one way to read a hyphen, `app.likeness` three: it is asked for a little more. */
const WIDER = 0.7;

interface Asked {
  first_name: string;
  last_name: string;
}

/** How alike names must be here; 0 where nobody wants to know. */
export const nameThreshold = async (): Promise<number> =>
  (
    await oneRow<{ threshold: number }>('SELECT name_check_threshold AS threshold FROM organizations WHERE id = $1', [
      currentOrganization(),
    ])
  ).threshold;

/**
 * People of the roster with such a name, the most alike first.
 * @param exceptUserId whose address it is, if they are known here
 */
export async function nameMatches(
  { first_name, last_name }: Asked,
  threshold: number,
  exceptUserId: string | null = null,
): Promise<NameMatch[]> {
  if (threshold === 0) return [];
  await rows(`SELECT set_config('pg_trgm.similarity_threshold', $1, true)`, [String(threshold * WIDER)]);
  return rows<NameMatch>(
    `SELECT * FROM (
       SELECT DISTINCT ON (u.id) u.id AS "user", m.id AS membership, m.chapter_id AS chapter, u.first_name, u.last_name, m.status,
              app.likeness(u.first_name || ' ' || u.last_name, $2) AS likeness
         FROM users u JOIN memberships m ON m.organization_id = $1 AND m.user_id = u.id
        WHERE lower(regexp_replace(normalize(u.first_name || ' ' || u.last_name, NFKD), '[\\u0300-\\u036f[:punct:]]', '', 'g'))
              % lower(regexp_replace(normalize($2, NFKD), '[\\u0300-\\u036f[:punct:]]', '', 'g'))
          AND u.id IS DISTINCT FROM $4::uuid
        ORDER BY u.id, m.id DESC) alike
      WHERE likeness >= $3::real ORDER BY likeness DESC, membership LIMIT ${MOST}`,
    [currentOrganization(), `${first_name} ${last_name}`, threshold, exceptUserId],
  );
}

/** Those of a request that waits; who has the address already is no match. */
export async function readMatches(
  request: Asked & Pick<ShownRow<typeof AccountRequest>, 'email' | 'status'>,
): Promise<NameMatch[]> {
  if (request.email === null || request.status !== 'pending') return [];
  return nameMatches(request, await nameThreshold(), await findKnown(request.email));
}

/** How alike the name of somebody who asks and that of a person are. */
export const likenessTo = async ({ first_name, last_name }: Asked, userId: string): Promise<number> =>
  (
    await oneRow<{ likeness: number }>(
      `SELECT app.likeness(first_name || ' ' || last_name, $2) AS likeness FROM users WHERE id = $1`,
      [userId, `${first_name} ${last_name}`],
    )
  ).likeness;
