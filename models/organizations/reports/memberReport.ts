import { currentOrganization, rows } from '../../database/rows.js';
import { ALUMNI_SQL, STUDENTS_SQL } from '../vocabulary.js';

export const REPORT_GROUPS = ['chapter', 'region', 'status', 'graduation_year'] as const;
export type ReportGroup = (typeof REPORT_GROUPS)[number];

/** Ways in which a member enters a group. `changed`: by any other change of status. */
export const ENTRY_KINDS = ['joined', 'crossed', 'graduated', 'transferred', 'returned', 'changed'] as const;
/** Ways in which a member leaves a group. */
export const EXIT_KINDS = ['crossed', 'graduated', 'transferred', 'left', 'changed'] as const;

interface Figures {
  start: number;
  in: Record<(typeof ENTRY_KINDS)[number], number>;
  out: Record<(typeof EXIT_KINDS)[number], number>;
  end: number;
}

export interface ReportRow extends Figures {
  /** Key of the group: an id, a status or a year; null for the group of members without one. */
  group: string | null;
  name: string | null;
}

export interface ReportRequest {
  /** First and last day of the report. The roster is counted at the end of both days. */
  from: string;
  to: string;
  groupBy: ReportGroup;
  /** Null: all chapters. */
  chapters: string[] | null;
}

/** SQL: whether a status counts as a present member. Inactive and disaffiliated members have left. */
const IS_MEMBER = (status: string): string => `coalesce(${status} NOT IN ('inactive', 'disaffiliated'), false)`;

/**
 * SQL for each way to group the report: the column that determines a member's group (`each`), the key and name of the
 * group, and the joins that these need. A member's status is that of the reported day; chapter, region and year are the
 * present ones, as in the roster of a day.
 */
const GROUPS: Record<ReportGroup, { each: string; memberJoin?: string; key: string; name: string; join: string }> = {
  chapter: {
    each: 'p.chapter_id',
    key: 'f.each::text',
    name: 'c.name',
    join: 'JOIN chapters c ON c.organization_id = $1 AND c.id = f.each',
  },
  region: {
    each: 'p.chapter_id',
    key: 'r.id::text',
    name: 'r.name',
    join: `JOIN chapters c ON c.organization_id = $1 AND c.id = f.each
      LEFT JOIN regions r ON r.organization_id = $1 AND r.id = c.region_id`,
  },
  status: { each: 'NULL', key: 'f.status', name: `replace(f.status, '_', ' ')`, join: '' },
  graduation_year: {
    each: 'm.graduation_year',
    memberJoin: 'JOIN memberships m ON m.organization_id = p.organization_id AND m.id = p.membership_id',
    key: 'f.each::text',
    name: 'f.each::text',
    join: '',
  },
};

const counts = (fact: 'in' | 'out', ways: readonly string[]): string =>
  `json_build_object(${ways.map((way) => `'${way}', coalesce(sum(f.n) FILTER (WHERE f.fact = '${fact}' AND f.way = '${way}'), 0)`).join(', ')})`;

/**
 * Counts the members of each group on the first and last day of a time span, and how members entered and left the group
 * in between. It uses the history of memberships and one statement. On each day, a member counts by the status at the
 * end of the day, like `?on=` of the roster. In every group, `start` plus all of `in` minus all of `out` equals `end`.
 * A change within a group counts as leaving and entering.
 */
export function reportMembers({ from, to, groupBy, chapters }: ReportRequest): Promise<ReportRow[]> {
  const { each, memberJoin = '', key, name, join } = GROUPS[groupBy];
  return rows<ReportRow>(
    `WITH periods AS (
       SELECT p.membership_id, ${each} AS each, p.ordinal, p.status, p.valid_from, p.valid_to,
              bool_or(p.source = 'transfer') OVER (PARTITION BY p.membership_id, p.valid_from) AS transferred
         FROM membership_periods p ${memberJoin}
        WHERE p.organization_id = $1 AND p.valid_from <= $3 AND (p.valid_to IS NULL OR p.valid_to > $2)
          AND ($4::uuid[] IS NULL OR p.chapter_id = ANY ($4))),
     days AS (
       SELECT *, lag(status) OVER (PARTITION BY membership_id ORDER BY valid_from, ordinal) AS before
         FROM periods WHERE valid_to IS NULL OR valid_to > valid_from),
     -- combines equal changes into one row with their number, so that the CASE expressions below are evaluated for few
     -- rows
     alike AS (
       SELECT each, before, status, transferred, valid_from <= $2 AS at_start, valid_to IS NULL OR valid_to > $3 AS at_end,
              count(*) AS n
         FROM days GROUP BY 1, 2, 3, 4, 5, 6),
     facts AS (
       SELECT a.each, fact.fact, fact.status, fact.way, a.n
         FROM alike a
        CROSS JOIN LATERAL (SELECT CASE
            WHEN a.before IS NOT DISTINCT FROM a.status THEN NULL
            WHEN a.transferred AND ${IS_MEMBER('a.before')} <> ${IS_MEMBER('a.status')} THEN 'transferred'
            WHEN NOT ${IS_MEMBER('a.status')} THEN 'left'
            WHEN a.before IS NULL THEN 'joined'
            WHEN NOT ${IS_MEMBER('a.before')} THEN 'returned'
            WHEN a.before = 'pnm' THEN 'crossed'
            WHEN a.before IN (${STUDENTS_SQL}) AND a.status IN (${ALUMNI_SQL}) THEN 'graduated'
            ELSE 'changed' END AS way) moved
        CROSS JOIN LATERAL (VALUES
            ('start', a.status, NULL, a.at_start AND ${IS_MEMBER('a.status')}),
            ('end', a.status, NULL, a.at_end AND ${IS_MEMBER('a.status')}),
            ('in', a.status, moved.way, NOT a.at_start AND moved.way IS NOT NULL AND ${IS_MEMBER('a.status')}),
            ('out', a.before, moved.way, NOT a.at_start AND moved.way IS NOT NULL AND ${IS_MEMBER('a.before')})
          ) fact (fact, status, way, counts)
        WHERE fact.counts)
     SELECT ${key} AS "group", ${name} AS name,
            coalesce(sum(f.n) FILTER (WHERE f.fact = 'start'), 0)::int AS start,
            ${counts('in', ENTRY_KINDS)} AS "in",
            ${counts('out', EXIT_KINDS)} AS out,
            coalesce(sum(f.n) FILTER (WHERE f.fact = 'end'), 0)::int AS "end"
       FROM facts f ${join} GROUP BY 1, 2 ORDER BY name NULLS LAST, "group"`,
    [currentOrganization(), from, to, chapters],
  );
}

/** Returns the sums over all groups. */
export function totalOf(report: readonly ReportRow[]): Figures {
  const sum = (figure: (row: ReportRow) => number): number => report.reduce((all, row) => all + figure(row), 0);
  const sums = <Way extends string>(ways: readonly Way[], figure: (row: ReportRow, way: Way) => number) =>
    Object.fromEntries(ways.map((way) => [way, sum((row) => figure(row, way))])) as Record<Way, number>;
  return {
    start: sum(({ start }) => start),
    in: sums(ENTRY_KINDS, (row, way) => row.in[way]),
    out: sums(EXIT_KINDS, (row, way) => row.out[way]),
    end: sum(({ end }) => end),
  };
}
