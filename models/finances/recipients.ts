/**
 * SQL for the recipients of notifications about money, and for what each of them may see. A member who was added and
 * has not accepted yet is notified only of what they owe.
 */

/**
 * Selects who pays an invoice `i`: its member; for a chapter its treasurer, else its president, else an admin of the
 * organization. Officers and admins who have not accepted yet, or whose account is disabled, are skipped: they cannot
 * act on it, and the next in line must.
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

/** A description of `PAYER` for the docs. */
export const PAYER_IN_WORDS =
  'The member who pays; for a chapter its treasurer, else its president, else an administrator';

/** @param from FROM and WHERE of a query in which the invoice is `i` */
export const payerOf = (from: string): string => `
  SELECT payer.user_id FROM (
    SELECT i.organization_id, i.id, i.payer_type, i.chapter_id, i.membership_id ${from}) i
   CROSS JOIN LATERAL (${PAYER}) payer`;

/** SQL: whether the recipient of `n` is an active admin of the organization now. */
export const IS_ADMIN = `EXISTS (
  SELECT FROM app.active_admins(n.organization_id) admin WHERE admin.user_id = n.recipient_id)`;

/** SQL: whether the recipient of `n` holds an office now that gives access to a chapter's matters. */
export const HOLDS_OFFICE = (organization: string, chapter: string): string =>
  `app.offices_of(${organization}, n.recipient_id) && ARRAY[${organization}, ${chapter}]`;

/** SQL: whether the recipient of `n` sees the amounts of a chapter; NULL where they hold no office for it. */
const SEES_AMOUNTS = (organization: string, chapter: string): string =>
  `CASE WHEN ${HOLDS_OFFICE(organization, chapter)} THEN app.sees_amounts(${organization}, ${chapter}, n.recipient_id) END`;

/**
 * SQL of a subquery with two columns: `amounts`, whether the recipient of `n` sees the amounts of a chapter (NULL where
 * they hold no office for it), and `office_of`, the chapter.
 */
export const AMOUNTS_OF_CHAPTER = (organization: string, chapter: string): string =>
  `(SELECT ${SEES_AMOUNTS(organization, chapter)} AS amounts, ${chapter} AS office_of OFFSET 0)`;

/**
 * SQL of a subquery with the same columns for an invoice `i`: the payer needs no office; an invoice of a chapter needs
 * an office for it.
 */
export const SEES_INVOICE = `(SELECT
    CASE WHEN own.is_payer THEN true WHEN i.payer_type = 'chapter' THEN ${SEES_AMOUNTS('i.organization_id', 'i.chapter_id')} END AS amounts,
    CASE WHEN NOT own.is_payer THEN i.chapter_id END AS office_of
  FROM (SELECT EXISTS (SELECT FROM memberships m WHERE m.organization_id = i.organization_id AND m.id = i.membership_id
    AND m.user_id = n.recipient_id) AS is_payer OFFSET 0) own OFFSET 0)`;

/** SQL: the active admins of the organization. */
export const ACTIVE_ADMINS = 'SELECT a.user_id FROM app.active_admins(s.organization_id) a';

/** FROM and WHERE for the officers `m`, the president among them, of the chapter of remittance `s.subject_id`. */
const OFFICERS_OF_REMITTANCE = `FROM chapter_remittances r
    JOIN memberships m ON m.organization_id = r.organization_id AND m.chapter_id = r.chapter_id
     AND app.leads_chapter(m.role, m.status)
    JOIN users u ON u.id = m.user_id AND u.placeholder_in IS NULL AND u.disabled_at IS NULL
   WHERE r.organization_id = s.organization_id AND r.id = s.subject_id`;

/**
 * SQL: the users who may resolve a remittance: its chapter's officers; where it has none, the organization's admins.
 */
export const REMITTANCE_RESOLVERS = `
  SELECT m.user_id ${OFFICERS_OF_REMITTANCE}
  UNION ALL
  ${ACTIVE_ADMINS} WHERE NOT EXISTS (SELECT ${OFFICERS_OF_REMITTANCE})`;
