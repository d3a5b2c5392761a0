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

/** Status is of the day; chapter, region and year are those of now, as in the roster of a day. */
const GROUPS: Record<ReportGroup, { key: string; name: string; join: string }> = {
  chapter: {
    key: 'f.chapter_id::text',
    name: 'c.name',
    join: 'JOIN chapters c ON c.organization_id = $1 AND c.id = f.chapter_id',
  },
  region: {
    key: 'r.id::text',
    name: 'r.name',
    join: `JOIN chapters c ON c.organization_id = $1 AND c.id = f.chapter_id
      LEFT JOIN regions r ON r.organization_id = $1 AND r.id = c.region_id`,
  },
  status: { key: 'f.status', name: `replace(f.status, '_', ' ')`, join: '' },
  graduation_year: {
    key: 'm.graduation_year::text',
    name: 'm.graduation_year::text',
    join: 'JOIN memberships m ON m.organization_id = $1 AND m.id = f.membership_id',
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
  const { key, name, join } = GROUPS[groupBy];
  // Whoever moves within a group is the same member of it: facts are summed up before anything is joined.
  const each = groupBy === 'graduation_year' ? 'membership_id' : 'chapter_id';
  return rows<ReportRow>(
    `WITH periods AS (
       SELECT membership_id, chapter_id, ordinal, status, valid_from, valid_to,
              bool_or(source = 'transfer') OVER (PARTITION BY membership_id, valid_from) AS transferred
         FROM membership_periods
        WHERE organization_id = $1 AND valid_from <= $3 AND (valid_to IS NULL OR valid_to > $2)
          AND ($4::uuid[] IS NULL OR chapter_id = ANY ($4))),
     days AS (
       SELECT *, lag(status) OVER (PARTITION BY membership_id ORDER BY ordinal) AS before
         FROM periods WHERE valid_to IS NULL OR valid_to > valid_from),
     facts AS (
       SELECT d.${each}, fact.fact, fact.status, fact.way, count(*) AS n
         FROM days d
        CROSS JOIN LATERAL (SELECT CASE
            WHEN d.before IS NOT DISTINCT FROM d.status THEN NULL
            WHEN d.transferred AND ${STANDS('d.before')} <> ${STANDS('d.status')} THEN 'transferred'
            WHEN NOT ${STANDS('d.status')} THEN 'left'
            WHEN d.before IS NULL THEN 'joined'
            WHEN NOT ${STANDS('d.before')} THEN 'returned'
            WHEN d.before = 'pnm' THEN 'crossed'
            WHEN d.before IN ('undergrad', 'associate') AND d.status IN ('alumni', 'active_alumni', 'lifetime_alumni') THEN 'graduated'
            ELSE 'changed' END AS way) moved
        CROSS JOIN LATERAL (VALUES
            ('start', d.status, NULL, d.valid_from <= $2 AND ${STANDS('d.status')}),
            ('end', d.status, NULL, (d.valid_to IS NULL OR d.valid_to > $3) AND ${STANDS('d.status')}),
            ('in', d.status, moved.way, d.valid_from > $2 AND moved.way IS NOT NULL AND ${STANDS('d.status')}),
            ('out', d.before, moved.way, d.valid_from > $2 AND moved.way IS NOT NULL AND ${STANDS('d.before')})
          ) fact (fact, status, way, counts)
        WHERE fact.counts GROUP BY 1, 2, 3, 4)
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
