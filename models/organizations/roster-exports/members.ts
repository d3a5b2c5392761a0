/**
 * Reads members as rows of a table, in the columns that an import takes, so that importing an unchanged export changes
 * nothing.
 */
import { currentOrganization, oneRow, rows } from '../../database/rows.js';
import { NIL } from '../../database/uuid.js';
import { shownEmail } from '../../identity/deletion/erased.js';
import { PROFILE_FIELDS } from '../imports/fields.js';
import type { ExportFilters, RosterExport } from './RosterExport.js';

/** Members that one statement reads. */
const BATCH_SIZE = 500;

interface RosterColumn {
  title: string;
  type: 'text' | 'day' | 'number';
  /**
   * SQL of the cell's value. It can use the membership `m`, its person `u`, the person's profile `p` and the chapter
   * `c`.
   */
  sql: string;
}

const columnOf = (type: RosterColumn['type'], from: 'm' | 'p', name: string): RosterColumn => ({
  title: name.charAt(0).toUpperCase() + name.slice(1).replaceAll('_', ' '),
  type,
  sql: `${from}.${name}`,
});
const memberColumn = (type: RosterColumn['type'], name: string) => columnOf(type, 'm', name);

const COLUMNS: readonly RosterColumn[] = [
  { title: 'Email', type: 'text', sql: shownEmail('u') },
  { title: 'First name', type: 'text', sql: 'u.first_name' },
  { title: 'Last name', type: 'text', sql: 'u.last_name' },
  { title: 'Phone number', type: 'text', sql: 'u.phone_number' },
  { title: 'Chapter', type: 'text', sql: 'c.name' },
  memberColumn('text', 'role'),
  memberColumn('text', 'status'),
  memberColumn('day', 'joined_date'),
  memberColumn('number', 'graduation_year'),
  memberColumn('text', 'graduation_season'),
  memberColumn('text', 'pledge_class'),
  memberColumn('number', 'line_number'),
  memberColumn('text', 'crossing_semester'),
  memberColumn('day', 'crossing_date'),
];

const WITH_PROFILES = [
  ...COLUMNS,
  ...PROFILE_FIELDS.map((field) => columnOf(field === 'date_of_birth' ? 'day' : 'text', 'p', field)),
];

export const rosterColumns = (withProfiles: boolean): readonly RosterColumn[] =>
  withProfiles ? WITH_PROFILES : COLUMNS;

const PROFILE = `
       LEFT JOIN member_profiles p ON p.organization_id = $1 AND p.user_id = m.user_id`;

/** The last member of a batch. */
export interface Cursor {
  chapter: string;
  membership: string;
}

export interface RosterRows {
  /** Cells in the order of `rosterColumns`. */
  rows: (string | number | null)[][];
  /** The last member of these rows, after whom the next read begins; null if no members remain. */
  last: Cursor | null;
}

/** SQL condition that selects the memberships `m` that match the filters; its parameters are `filterValues`. */
const MATCHES_FILTERS = `m.organization_id = $1 AND ($2::uuid IS NULL OR m.chapter_id = $2)
  AND ($3::uuid IS NULL OR m.chapter_id IN (SELECT id FROM chapters WHERE organization_id = $1 AND region_id = $3))
  AND ($4::text IS NULL OR m.status = $4) AND ($5::text IS NULL OR m.role = $5)
  AND ($6::text IS NULL OR m.pledge_class = $6) AND ($7::int IS NULL OR m.graduation_year = $7)`;

const filterValues = ({ chapter, region, status, role, pledge_class, graduation_year }: ExportFilters): unknown[] =>
  [currentOrganization(), chapter, region, status, role, pledge_class, graduation_year].map((value) => value ?? null);

export const countMembers = async (filters: ExportFilters): Promise<number> =>
  (
    await oneRow<{ count: number }>(
      `SELECT count(*)::int FROM memberships m WHERE ${MATCHES_FILTERS}`,
      filterValues(filters),
    )
  ).count;

/**
 * Reads the next members after `after`, by chapter and id, an order that never changes. Members without an address are
 * left out: they declined an invitation or were erased.
 */
export async function readNextMembers(
  { filters, with_profiles }: Pick<RosterExport, 'filters' | 'with_profiles'>,
  after: Cursor | null,
): Promise<RosterRows> {
  const batch = await rows<Cursor & { cells: (string | number | null)[] | null }>(
    `WITH batch AS MATERIALIZED (
       SELECT m.* FROM memberships m
        WHERE ${MATCHES_FILTERS} AND (m.chapter_id, m.id) > ($8::uuid, $9::uuid) ORDER BY m.chapter_id, m.id LIMIT ${BATCH_SIZE}),
     -- a chapter whose name differs from another chapter's only in case appears by its id, because an import could not
     -- tell the two names apart
     named AS MATERIALIZED (
       SELECT id, CASE WHEN count(*) OVER (PARTITION BY lower(name)) > 1 THEN id::text ELSE name END AS name
         FROM chapters WHERE organization_id = $1)
     SELECT m.chapter_id AS chapter, m.id AS membership,
            CASE WHEN ${shownEmail('u')} IS NOT NULL
              THEN json_build_array(${rosterColumns(with_profiles)
                .map(({ sql }) => sql)
                .join(', ')}) END AS cells
       FROM batch m
       JOIN named c ON c.id = m.chapter_id
       -- Looks up each user by key, because a plain join may read all people of the platform
       JOIN LATERAL (SELECT * FROM users WHERE users.id = m.user_id OFFSET 0) u ON true${with_profiles ? PROFILE : ''}
      ORDER BY m.chapter_id, m.id`,
    [...filterValues(filters), after?.chapter ?? NIL, after?.membership ?? NIL],
  );
  const last = batch.at(-1);
  return {
    rows: batch.flatMap(({ cells }) => (cells ? [cells] : [])),
    last: last && batch.length === BATCH_SIZE ? { chapter: last.chapter, membership: last.membership } : null,
  };
}
