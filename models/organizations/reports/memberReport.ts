import { currentOrganization, rows } from '../../database/rows.js';

export const REPORT_GROUPS = ['chapter', 'region', 'status', 'graduation_year'] as const;
export type ReportGroup = (typeof REPORT_GROUPS)[number];

/** How somebody comes into a group. `changed`: from one status to another in any other way. */
export const WAYS_IN = ['joined', 'crossed', 'graduated', 'transferred', 'returned', 'changed'] as const;
/** How somebody goes out of it. */
export const WAYS_OUT = ['crossed', 'graduated', 'transferred', 'left', 'changed'] as const;

interface Figures {
  start: number;
  in: Record<(typeof WAYS_IN)[number], number>;
  out: Record<(typeof WAYS_OUT)[number], number>;
  end: number;
}

export interface ReportRow extends Figures {
  /** An id, a status, a year; null: those who have none. */
  group: string | null;
  name: string | null;
}

export interface ReportRequest {
  /** Days: at the end of both the roster is counted. */
  from: string;
  to: string;
  groupBy: ReportGroup;
  /** Null: all. */
  chapters: string[] | null;
}

/** Whose membership stands: who is inactive or disaffiliated has left. */
const STANDS = (status: string): string => `coalesce(${status} NOT IN ('inactive', 'disaffiliated'), false)`;

/**
 * SQL of what tells groups apart (`each`: a column of the periods, or of their memberships), of its name, and of what that
 * needs. Status is of the day; chapter, region and year are those of now, as in the roster of a day.
 */
const GROUPS: Record<ReportGroup, { each: string; of?: string; key: string; name: string; join: string }> = {
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
    of: 'JOIN memberships m ON m.organization_id = p.organization_id AND m.id = p.membership_id',
    key: 'f.each::text',
    name: 'f.each::text',
    join: '',
  },
};

const counts = (fact: 'in' | 'out', ways: readonly string[]): string =>
  `json_build_object(${ways.map((way) => `'${way}', coalesce(sum(f.n) FILTER (WHERE f.fact = '${fact}' AND f.way = '${way}'), 0)`).join(', ')})`;

/**
 * Who stood in each group at both ends, and how they came and went between them, from the history of memberships, in one
 * statement. Counted is what somebody was at a day's end, as in `?on=` of the roster: of several changes of a day the last.
 * In every group `start` with all of `in` and without all of `out` is `end`; who moves within a group goes out and comes in.
 */
export function reportMembers({ from, to, groupBy, chapters }: ReportRequest): Promise<ReportRow[]> {
  const { each, of = '', key, name, join } = GROUPS[groupBy];
  return rows<ReportRow>(
    `WITH periods AS (
       SELECT p.membership_id, ${each} AS each, p.ordinal, p.status, p.valid_from, p.valid_to,
              bool_or(p.source = 'transfer') OVER (PARTITION BY p.membership_id, p.valid_from) AS transferred
         FROM membership_periods p ${of}
        WHERE p.organization_id = $1 AND p.valid_from <= $3 AND (p.valid_to IS NULL OR p.valid_to > $2)
          AND ($4::uuid[] IS NULL OR p.chapter_id = ANY ($4))),
     days AS (
       SELECT *, lag(status) OVER (PARTITION BY membership_id ORDER BY valid_from, ordinal) AS before
         FROM periods WHERE valid_to IS NULL OR valid_to > valid_from),
     -- few are left of many before anything is asked of each
     alike AS (
       SELECT each, before, status, transferred, valid_from <= $2 AS at_start, valid_to IS NULL OR valid_to > $3 AS at_end,
              count(*) AS n
         FROM days GROUP BY 1, 2, 3, 4, 5, 6),
     facts AS (
       SELECT a.each, fact.fact, fact.status, fact.way, a.n
         FROM alike a
        CROSS JOIN LATERAL (SELECT CASE
            WHEN a.before IS NOT DISTINCT FROM a.status THEN NULL
            WHEN a.transferred AND ${STANDS('a.before')} <> ${STANDS('a.status')} THEN 'transferred'
            WHEN NOT ${STANDS('a.status')} THEN 'left'
            WHEN a.before IS NULL THEN 'joined'
            WHEN NOT ${STANDS('a.before')} THEN 'returned'
            WHEN a.before = 'pnm' THEN 'crossed'
            WHEN a.before IN ('undergrad', 'associate') AND a.status IN ('alumni', 'active_alumni', 'lifetime_alumni') THEN 'graduated'
            ELSE 'changed' END AS way) moved
        CROSS JOIN LATERAL (VALUES
            ('start', a.status, NULL, a.at_start AND ${STANDS('a.status')}),
            ('end', a.status, NULL, a.at_end AND ${STANDS('a.status')}),
            ('in', a.status, moved.way, NOT a.at_start AND moved.way IS NOT NULL AND ${STANDS('a.status')}),
            ('out', a.before, moved.way, NOT a.at_start AND moved.way IS NOT NULL AND ${STANDS('a.before')})
          ) fact (fact, status, way, counts)
        WHERE fact.counts)
     SELECT ${key} AS "group", ${name} AS name,
            coalesce(sum(f.n) FILTER (WHERE f.fact = 'start'), 0)::int AS start,
            ${counts('in', WAYS_IN)} AS "in",
            ${counts('out', WAYS_OUT)} AS out,
            coalesce(sum(f.n) FILTER (WHERE f.fact = 'end'), 0)::int AS "end"
       FROM facts f ${join} GROUP BY 1, 2 ORDER BY name NULLS LAST, "group"`,
    [currentOrganization(), from, to, chapters],
  );
}

/** All groups together. */
export function totalOf(report: readonly ReportRow[]): Figures {
  const sum = (figure: (row: ReportRow) => number): number => report.reduce((all, row) => all + figure(row), 0);
  const sums = <Way extends string>(ways: readonly Way[], figure: (row: ReportRow, way: Way) => number) =>
    Object.fromEntries(ways.map((way) => [way, sum((row) => figure(row, way))])) as Record<Way, number>;
  return {
    start: sum(({ start }) => start),
    in: sums(WAYS_IN, (row, way) => row.in[way]),
    out: sums(WAYS_OUT, (row, way) => row.out[way]),
    end: sum(({ end }) => end),
  };
}
