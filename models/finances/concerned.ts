/** SQL that says whom money concerns, and what of it they see. Who is named and has not accepted is told of what they owe alone. */

/**
 * Who answers for an invoice `i`: its member; for a chapter its treasurer, else its president, else an admin of the organization.
 * Who has not accepted yet is told of what is billed to them, and of nothing that an office brings; nor is whose account is disabled:
 * they do nothing about it, and whoever comes next has to.
 */
const PAYER = `
  SELECT who.user_id FROM (
    SELECT m.user_id, 0 AS rank, m.id FROM memberships m
     WHERE m.organization_id = i.organization_id AND m.id = i.membership_id
    UNION ALL
    SELECT m.user_id, CASE m.role WHEN 'officer' THEN 1 ELSE 2 END, m.id FROM memberships m
     WHERE i.payer_type = 'chapter' AND m.organization_id = i.organization_id AND m.chapter_id = i.chapter_id
       AND app.leads_chapter(m.role, m.status)
    UNION ALL
    SELECT a.user_id, 3, a.id FROM app.active_admins(i.organization_id) a WHERE i.payer_type = 'chapter') who
    JOIN users u ON u.id = who.user_id AND (who.rank = 0 OR u.placeholder_in IS NULL AND u.disabled_at IS NULL)
   ORDER BY who.rank, who.id LIMIT 1`;

/** The same in words, for the docs. */
export const PAYER_IN_WORDS =
  'The member who pays; for a chapter its treasurer, else its president, else an administrator';

/** @param from of a query in which the invoice is `i` */
export const payerOf = (from: string): string => `
  SELECT payer.user_id FROM (
    SELECT i.organization_id, i.id, i.payer_type, i.chapter_id, i.membership_id ${from}) i
   CROSS JOIN LATERAL (${PAYER}) payer`;

/** Whether the recipient of `n` administers the organization now. */
export const IS_ADMIN = `EXISTS (
  SELECT FROM app.active_admins(n.organization_id) admin WHERE admin.user_id = n.recipient_id)`;

/** SQL: whether the recipient of `n` holds an office now through which they see what concerns a chapter. */
export const HOLDS_OFFICE = (organization: string, chapter: string): string =>
  `app.offices_of(${organization}, n.recipient_id) && ARRAY[${organization}, ${chapter}]`;

/** SQL: whether the recipient of `n` sees amounts of a chapter; NULL where they hold no office for it. */
const SEES_AMOUNTS = (organization: string, chapter: string): string =>
  `CASE WHEN ${HOLDS_OFFICE(organization, chapter)} THEN app.sees_amounts(${organization}, ${chapter}, n.recipient_id) END`;

/**
 * A subquery for `amounts`, whether the recipient of `n` sees those of a chapter (NULL where they hold no office for it),
 * and for `office_of`, the chapter.
 */
export const AMOUNTS_OF_CHAPTER = (organization: string, chapter: string): string =>
  `(SELECT ${SEES_AMOUNTS(organization, chapter)} AS amounts, ${chapter} AS office_of OFFSET 0)`;

/** The same of an invoice `i`: one's own, which needs no office, or one that a chapter owes. */
export const SEES_INVOICE = `(SELECT
    CASE WHEN own.is_payer THEN true WHEN i.payer_type = 'chapter' THEN ${SEES_AMOUNTS('i.organization_id', 'i.chapter_id')} END AS amounts,
    CASE WHEN NOT own.is_payer THEN i.chapter_id END AS office_of
  FROM (SELECT EXISTS (SELECT FROM memberships m WHERE m.organization_id = i.organization_id AND m.id = i.membership_id
    AND m.user_id = n.recipient_id) AS is_payer OFFSET 0) own OFFSET 0)`;

/** Everybody who administers the organization. */
export const ACTIVE_ADMINS = 'SELECT a.user_id FROM app.active_admins(s.organization_id) a';

/** FROM and WHERE for the officers `m`, the president among them, of the chapter of remittance `s.subject_id`. */
const OFFICERS_OF_REMITTANCE = `FROM chapter_remittances r
    JOIN memberships m ON m.organization_id = r.organization_id AND m.chapter_id = r.chapter_id
     AND app.leads_chapter(m.role, m.status)
    JOIN users u ON u.id = m.user_id AND u.placeholder_in IS NULL AND u.disabled_at IS NULL
   WHERE r.organization_id = s.organization_id AND r.id = s.subject_id`;

/** Whoever may resolve a remittance: its chapter's officers; where it has none, who administers the organization. */
export const WHO_RESOLVES = `
  SELECT m.user_id ${OFFICERS_OF_REMITTANCE}
  UNION ALL
  ${ACTIVE_ADMINS} WHERE NOT EXISTS (SELECT ${OFFICERS_OF_REMITTANCE})`;
