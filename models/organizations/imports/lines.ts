/** Loads lines of an import in batches, each with the person and membership that it refers to. */
import { currentOrganization, firstRow, rows } from '../../database/rows.js';
import { USER_ID_BY_EMAIL } from '../../identity/accounts.js';
import type { MembershipState } from '../lifecycle/transitions.js';
import type { MembershipRole } from '../vocabulary.js';
import { asTableText, type LineValues, type NamedChapter } from './readLine.js';
import { type MEMBERSHIP_FIELDS, PROFILE_FIELDS } from './fields.js';
import type { PersonValues } from './people.js';

/** Lines in one transaction. */
export const BATCH_SIZE = 500;

type Fields = Record<(typeof MEMBERSHIP_FIELDS)[number], string | number | null>;

export interface Line {
  id: string;
  line: number;
  email: string | null;
  chapter_id: string | null;
  given: LineValues;
  outcome: 'create' | 'update' | 'unchanged' | 'error' | null;
  changes: Record<string, [from: string | number | null, to: string | number]>;
  membership_id: string | null;
  seen_version: number | null;
  /** The account of the address, if it has or had a membership or office in the organization; otherwise null. */
  account_id: string | null;
  /** The account or placeholder of the line's person; null if there is none in the organization. */
  person: (PersonValues & { id: string; first_name: string; last_name: string; elsewhere: boolean }) | null;
  /** Whether the chapter has another member with this name. */
  same_name_member: boolean;
  membership: (Fields & { id: string; version: number; role: MembershipRole }) | null;
  standing: MembershipState | null;
}

export interface BatchLine {
  id: string;
  email: string | null;
}

const MEMBERSHIP = `CASE WHEN m.id IS NOT NULL THEN json_build_object('id', m.id, 'version', m.version, 'role', m.role,
  'status', m.status, 'joined_date', m.joined_date, 'graduation_year', m.graduation_year,
  'graduation_season', m.graduation_season, 'pledge_class', m.pledge_class, 'line_number', m.line_number,
  'crossing_semester', m.crossing_semester, 'crossing_date', m.crossing_date) END AS membership`;

/**
 * `elsewhere`: the account also belongs to another organization, so this one may not change the phone number. Computed
 * only if the line would change it.
 */
const PERSON = `CASE WHEN u.id IS NOT NULL THEN json_build_object('id', u.id, 'first_name', u.first_name, 'last_name', u.last_name,
  'phone_number', u.phone_number, 'elsewhere', CASE WHEN u.placeholder_in IS NULL AND p.given ->> 'phone_number' <> coalesce(u.phone_number, '')
    THEN u.is_platform_admin OR app.belongs_elsewhere(u.id, $1) ELSE false END,
  ${PROFILE_FIELDS.map((field) => `'${field}', f.${field}`).join(', ')}) END AS person`;

/**
 * Loads lines with their people, in one statement. An account outside the organization is treated as if it did not
 * exist, so that an import cannot be used to find out whether an address has an account (see `findPerson`).
 * Placeholders are looked up for all addresses together, and other rows by key for each line. `OFFSET 0` forces this
 * plan: Postgres has no statistics about rows that were just written, and would otherwise scan whole tables for each
 * line.
 */
export const readLines = (importId: string, batch: readonly BatchLine[]): Promise<Line[]> =>
  rows<Line>(
    `WITH batch AS MATERIALIZED (
       SELECT r.*, ${USER_ID_BY_EMAIL.replaceAll('$1', 'r.email')} AS account_id FROM bulk_import_rows r
        WHERE r.organization_id = $1 AND r.import_id = $2 AND r.id = ANY ($3)),
     waiting AS MATERIALIZED (
       SELECT jsonb_object_agg(typed_email, id) AS ids FROM users WHERE placeholder_in = $1 AND typed_email = ANY ($4)),
     people AS MATERIALIZED (
       SELECT p.*, (w.ids ->> p.email)::uuid AS waiting_id, CASE WHEN account_id IS NOT NULL AND (
                EXISTS (SELECT FROM memberships m WHERE m.organization_id = $1 AND m.user_id = account_id OFFSET 0)
                OR EXISTS (SELECT FROM organization_admins a WHERE a.organization_id = $1 AND a.user_id = account_id)
                OR EXISTS (SELECT FROM regional_admins a WHERE a.organization_id = $1 AND a.user_id = account_id))
              THEN account_id END AS known_id
         FROM batch p CROSS JOIN waiting w)
     SELECT p.id, p.line, p.email, p.chapter_id, p.given, p.outcome, p.changes, p.membership_id, p.seen_version,
            p.known_id AS account_id, ${PERSON},
            EXISTS (SELECT FROM roster_names n WHERE n.organization_id = $1 AND n.chapter_id = p.chapter_id
              AND n.name = (p.given ->> 'last_name') || ' ' || (p.given ->> 'first_name')
              AND n.user_id IS DISTINCT FROM coalesce(m.user_id, p.known_id, p.waiting_id)) AS same_name_member,
            ${MEMBERSHIP},
            CASE WHEN m.id IS NOT NULL THEN json_build_object('status', m.status, 'before', before.status, 'isTransferred',
              m.status = 'inactive' AND (SELECT h.source FROM membership_periods h
                WHERE h.organization_id = $1 AND h.membership_id = m.id AND h.ordinal > coalesce(before.ordinal, 0)
                ORDER BY h.ordinal LIMIT 1) = 'transfer') END AS standing
       FROM people p
       LEFT JOIN LATERAL (SELECT * FROM memberships o WHERE o.organization_id = $1 AND o.chapter_id = p.chapter_id
          AND o.user_id IN (p.known_id, p.waiting_id) ORDER BY o.user_id = p.known_id DESC NULLS LAST LIMIT 1) m ON true
       LEFT JOIN LATERAL (SELECT h.status, h.ordinal FROM membership_periods h WHERE h.organization_id = $1
          AND h.membership_id = m.id AND h.status <> m.status ORDER BY h.ordinal DESC LIMIT 1) before ON true
       LEFT JOIN LATERAL (
          SELECT * FROM users WHERE id = coalesce(m.user_id, p.known_id, p.waiting_id) OFFSET 0) u ON true
       LEFT JOIN LATERAL (
          SELECT * FROM member_profiles WHERE organization_id = $1 AND user_id = u.id OFFSET 0) f ON true
      ORDER BY p.line`,
    [currentOrganization(), importId, batch.map(({ id }) => id), batch.map(({ email }) => email)],
  );

/**
 * Returns a map of the organization's chapters with three kinds of keys: id, exact name, and name in lower case. If
 * several chapters have the same name in lower case, that key maps to null, unless it is the exact name of one of them.
 */
export async function chaptersByName(): Promise<Map<string, NamedChapter | null>> {
  const chapters = await rows<NamedChapter>(
    `SELECT id, name, status = 'active' AS active FROM chapters WHERE organization_id = $1`,
    [currentOrganization()],
  );
  const byKey = new Map<string, NamedChapter | null>();
  for (const chapter of chapters) {
    const name = asTableText(chapter.name).toLowerCase();
    byKey.set(name, byKey.has(name) ? null : chapter);
  }
  for (const chapter of chapters) byKey.set(chapter.id, chapter);
  for (const chapter of chapters) byKey.set(asTableText(chapter.name), chapter);
  return byKey;
}

/** Locks the next lines of an import that meet the SQL condition, in the order of the file. */
export const lockNextLines = (
  importId: string,
  condition: string,
  values: unknown[],
  limit = BATCH_SIZE,
): Promise<NextLine[]> =>
  rows<NextLine>(
    `SELECT id, line, email, cells FROM bulk_import_rows WHERE organization_id = $1 AND import_id = $2 AND ${condition}
      ORDER BY line LIMIT ${limit} FOR NO KEY UPDATE`,
    [currentOrganization(), importId, ...values],
  );

interface NextLine extends BatchLine {
  line: number;
  cells: string[];
}

/** Locks the import for one batch. Returns null if the import does not exist, or is no longer in this step. */
export const lockStep = <Row extends object>(importId: string, step: string): Promise<Row | null> =>
  firstRow<Row>(`SELECT * FROM bulk_imports WHERE organization_id = $1 AND id = $2 AND step = $3 FOR NO KEY UPDATE`, [
    currentOrganization(),
    importId,
    step,
  ]);
