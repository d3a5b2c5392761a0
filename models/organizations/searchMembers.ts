/** Searches members of the organization by name, fast enough for a hundred thousand members (spec: member search). */
import { currentOrganization, rows } from '../database/rows.js';
import { shownEmail } from '../identity/deletion/erased.js';
import { containing, searchKey, searchKeyOf, startingWith } from './search.js';
import type { MembershipRole, MembershipStatus } from './vocabulary.js';

const MAX_RESULTS = 25;
/** Maximum number of names that contain or resemble the words, from which the best are chosen. */
const MAX_CANDIDATES = 100;
/** Minimum length of a word for the trigram index. Shorter words have too few trigrams. */
const MIN_TRIGRAM_LENGTH = 3;
/** Number of characters of a long word that the similarity search uses. Each trigram of the word adds an index scan. */
const MAX_SIMILARITY_LENGTH = 8;

export interface FoundMember {
  /** Id of the membership. */
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
  /**
   * Whether addresses are searched too. False for a caller who may not see addresses, because a match would reveal one.
   */
  searchesEmail: boolean;
  /**
   * Limits the results to members whom this admin may impersonate, by the rule of the endpoint that starts an
   * impersonation.
   */
  impersonableBy: string | null;
}

const longestWord = (words: string): string =>
  words.split(/\s+/).reduce((longest, word) => (word.length > longest.length ? word : longest), '');

const NAME = `(${searchKey(`u.first_name || ' ' || u.last_name`)})`;
/** SQL of the searched texts. They are ordered by code points, as in the indexes. */
const SEARCH_TEXTS = {
  firstNameFirst: `(${NAME} COLLATE "C")`,
  lastNameFirst: `((${searchKey(`u.last_name || ' ' || u.first_name`)}) COLLATE "C")`,
  email: `(u.email COLLATE "C")`,
  typedEmail: `(u.typed_email COLLATE "C")`,
};

/**
 * Finds at most 25 memberships that give access. First come names (and addresses) that begin with the words, in both
 * orders of first and last name; then names that contain the words; and only if there are none, names that resemble
 * them. Each part has its own limit, and the expensive parts do not run if the others have enough results.
 */
export function searchMembers({ words, searchesEmail, impersonableBy }: MemberSearch): Promise<FoundMember[]> {
  const typed = searchKeyOf(words);
  const values = [
    currentOrganization(),
    startingWith(words),
    containing(words),
    typed,
    longestWord(typed).slice(0, MAX_SIMILARITY_LENGTH),
    ...(impersonableBy === null ? [] : [impersonableBy]),
  ];
  return rows<FoundMember>(searchStatement(searchesEmail, impersonableBy !== null), values);
}

function searchStatement(searchesEmail: boolean, onlyImpersonable: boolean): string {
  const fromMembers = `FROM users u JOIN memberships m ON m.user_id = u.id AND m.organization_id = $1 AND app.gives_access(m.status)
    ${onlyImpersonable ? 'CROSS JOIN LATERAL app.impersonable(m.user_id, m.status, $6) impersonable' : ''}`;
  const rankedQuery = (rank: number, text: string, rest: string) =>
    `(SELECT m.id, u.id AS user_id, ${rank} AS rank, $4 <<-> ${NAME} AS distance, ${text} AS name ${fromMembers} WHERE ${rest})`;
  const { firstNameFirst, lastNameFirst, email, typedEmail } = SEARCH_TEXTS;
  // An account has its address in `email`, a placeholder in `typedEmail`. Both columns get the same rank, so that
  // accounts and placeholders are ordered together by address.
  const ranked: [string, number][] = [
    [firstNameFirst, 0],
    [lastNameFirst, 1],
    ...(searchesEmail ? [email, typedEmail].map((address): [string, number] => [address, 2]) : []),
  ];
  const beginsQuery = ([text, rank]: [string, number]) =>
    rankedQuery(rank, text, `${text} LIKE $2 ORDER BY ${text}, u.id LIMIT ${MAX_RESULTS}`);
  const [containing, resembling] = [ranked.length, ranked.length + 1];
  const longEnough = `length($4) >= ${MIN_TRIGRAM_LENGTH}`;
  return `
    WITH begins AS MATERIALIZED (${ranked.map(beginsQuery).join(' UNION ALL ')}),
    contains AS MATERIALIZED ${rankedQuery(
      containing,
      firstNameFirst,
      `${longEnough} AND ${NAME} LIKE $3 AND (SELECT count(DISTINCT id) FROM begins) < ${MAX_RESULTS} LIMIT ${MAX_CANDIDATES}`,
    )},
    resembles AS MATERIALIZED ${rankedQuery(
      resembling,
      firstNameFirst,
      `${longEnough} AND $5 <% ${NAME} AND NOT EXISTS (SELECT FROM begins) AND NOT EXISTS (SELECT FROM contains)
       LIMIT ${MAX_CANDIDATES}`,
    )},
    best AS (
      SELECT DISTINCT ON (id) *
        FROM (SELECT * FROM begins UNION ALL SELECT * FROM contains UNION ALL SELECT * FROM resembles) every
       ORDER BY id, rank),
    -- Names that only resemble the words are ordered by similarity, all others by name
    narrow AS (
      SELECT id, user_id, row_number() OVER (
               ORDER BY rank, CASE WHEN rank = ${resembling} THEN distance END, name, id) AS position
        FROM best ORDER BY position LIMIT ${MAX_RESULTS})
    SELECT m.id, m.user_id AS "user", m.chapter_id AS chapter, c.name AS chapter_name,
           u.first_name, u.last_name, ${shownEmail('u')} AS email, m.role, m.status
      FROM narrow n JOIN memberships m ON m.organization_id = $1 AND m.id = n.id JOIN users u ON u.id = n.user_id
      JOIN chapters c ON c.organization_id = $1 AND c.id = m.chapter_id
     ORDER BY n.position`;
}
