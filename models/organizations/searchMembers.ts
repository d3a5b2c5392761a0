/** Members of the organization by name, quickly among a hundred thousand (spec: member search). */
import { currentOrganization, rows } from '../database/rows.js';
import { shownEmail } from '../identity/deletion/erased.js';
import { containing, searchKey, searchKeyOf, startingWith } from './search.js';
import type { MembershipRole, MembershipStatus } from './vocabulary.js';

const MOST = 25;
/** Names that contain or resemble what was typed are ranked among so many. */
const RANKED = 100;
/** Shorter ones have no trigrams to speak of. */
const SHORTEST_WITH_TRIGRAMS = 3;
/** Every trigram of what is looked for costs its share of the index. */
const LONGEST_RESEMBLED = 8;

export interface FoundMember {
  /** Of the membership. */
  id: string;
  user: string;
  chapter: string;
  chapter_name: string;
  first_name: string;
  last_name: string;
  email: string | null;
  role: MembershipRole;
  status: MembershipStatus;
}

export interface MemberSearch {
  words: string;
  /** Whether addresses are looked at too: a match would tell an address that is not shown. */
  searchesEmail: boolean;
  /** Only those whom this admin may impersonate: the rule is the one of the start endpoint. */
  impersonableBy: string | null;
}

const longestWord = (words: string): string =>
  words.split(/\s+/).reduce((longest, word) => (word.length > longest.length ? word : longest), '');

const NAME = `(${searchKey(`u.first_name || ' ' || u.last_name`)})`;
/** In the order of code points, which is that of the indexes. */
const IN_ORDER = {
  firstNameFirst: `(${NAME} COLLATE "C")`,
  lastNameFirst: `((${searchKey(`u.last_name || ' ' || u.first_name`)}) COLLATE "C")`,
  email: `(u.email COLLATE "C")`,
  typedEmail: `(u.typed_email COLLATE "C")`,
};

/**
 * Memberships that let their holders in, at most 25: names (and addresses) that begin so, first name first or last name
 * first; then those that contain what was typed; only where there are none of all these, those that resemble it. Each way
 * is cut short by itself, and the costly ones are not gone when the others have enough.
 */
export function searchMembers({ words, searchesEmail, impersonableBy }: MemberSearch): Promise<FoundMember[]> {
  const typed = searchKeyOf(words);
  const values = [
    currentOrganization(),
    startingWith(words),
    containing(words),
    typed,
    longestWord(typed).slice(0, LONGEST_RESEMBLED),
    ...(impersonableBy === null ? [] : [impersonableBy]),
  ];
  return rows<FoundMember>(statement(searchesEmail, impersonableBy !== null), values);
}

function statement(searchesEmail: boolean, onlyImpersonable: boolean): string {
  const those = `FROM users u JOIN memberships m ON m.user_id = u.id AND m.organization_id = $1 AND app.gives_access(m.status)
    ${onlyImpersonable ? 'CROSS JOIN LATERAL app.impersonable(m.user_id, m.status, $6) impersonable' : ''}`;
  const way = (rank: number, text: string, rest: string) =>
    `(SELECT m.id, u.id AS user_id, ${rank} AS rank, $4 <<-> ${NAME} AS distance, ${text} AS name ${those} WHERE ${rest})`;
  const { firstNameFirst, lastNameFirst, email, typedEmail } = IN_ORDER;
  // An account has the one address and a placeholder the other: among themselves they are in the order of the address.
  const ranked: [string, number][] = [
    [firstNameFirst, 0],
    [lastNameFirst, 1],
    ...(searchesEmail ? [email, typedEmail].map((address): [string, number] => [address, 2]) : []),
  ];
  const begins = ([text, rank]: [string, number]) =>
    way(rank, text, `${text} LIKE $2 ORDER BY ${text}, u.id LIMIT ${MOST}`);
  const [containing, resembling] = [ranked.length, ranked.length + 1];
  const longEnough = `length($4) >= ${SHORTEST_WITH_TRIGRAMS}`;
  return `
    WITH begins AS MATERIALIZED (${ranked.map(begins).join(' UNION ALL ')}),
    contains AS MATERIALIZED ${way(
      containing,
      firstNameFirst,
      `${longEnough} AND ${NAME} LIKE $3 AND (SELECT count(DISTINCT id) FROM begins) < ${MOST} LIMIT ${RANKED}`,
    )},
    resembles AS MATERIALIZED ${way(
      resembling,
      firstNameFirst,
      `${longEnough} AND $5 <% ${NAME} AND NOT EXISTS (SELECT FROM begins) AND NOT EXISTS (SELECT FROM contains)
       LIMIT ${RANKED}`,
    )},
    best AS (
      SELECT DISTINCT ON (id) *
        FROM (SELECT * FROM begins UNION ALL SELECT * FROM contains UNION ALL SELECT * FROM resembles) every
       ORDER BY id, rank),
    -- what resembles is ordered by how much, all else by name
    narrow AS (
      SELECT id, user_id, row_number() OVER (
               ORDER BY rank, CASE WHEN rank = ${resembling} THEN distance END, name, id) AS position
        FROM best ORDER BY position LIMIT ${MOST})
    SELECT m.id, m.user_id AS "user", m.chapter_id AS chapter, c.name AS chapter_name,
           u.first_name, u.last_name, ${shownEmail('u')} AS email, m.role, m.status
      FROM narrow n JOIN memberships m ON m.organization_id = $1 AND m.id = n.id JOIN users u ON u.id = n.user_id
      JOIN chapters c ON c.organization_id = $1 AND c.id = m.chapter_id
     ORDER BY n.position`;
}
