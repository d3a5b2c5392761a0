import { currentOrganization, rows } from '../../database/rows.js';

export const DUES_REPORT_GROUPS = ['chapter', 'term', 'month', 'status'] as const;
type DuesReportGroup = (typeof DUES_REPORT_GROUPS)[number];

/** Sums of the invoices of a group, in cents of the organization's currency. */
export const DUES_SUMS = [
  'total_cents',
  'discount_cents',
  'credit_cents',
  'paid_cents',
  'overpaid_cents',
  'balance_due_cents',
] as const;

export type DuesFigures = { invoices: number } & Record<(typeof DUES_SUMS)[number], number>;

export interface DuesReportRow extends DuesFigures {
  /** Key of the group: an id, a month or a status; null for the group of invoices without one. */
  group: string | null;
  name: string | null;
}

export interface DuesReportRequest {
  /** First and last day of issue, both inclusive. */
  from: string;
  to: string;
  groupBy: DuesReportGroup;
  payerType: 'chapter' | 'member' | undefined;
  /** Null: all chapters. */
  chapters: string[] | null;
}

/** SQL for each way to group the report: key and name of the group of invoice `i`, and the joins that these need. */
const GROUPS: Record<DuesReportGroup, { key: string; name: string; join?: string }> = {
  chapter: {
    key: 'i.chapter_id::text',
    name: 'g.name',
    join: 'JOIN chapters g ON g.organization_id = i.organization_id AND g.id = i.chapter_id',
  },
  term: {
    key: 'i.term_id::text',
    name: 'g.name',
    join: 'LEFT JOIN terms g ON g.organization_id = i.organization_id AND g.id = i.term_id',
  },
  month: { key: `to_char(i.issue_date, 'YYYY-MM')`, name: `to_char(i.issue_date, 'YYYY-MM')` },
  status: { key: 'i.status', name: `replace(i.status, '_', ' ')` },
};

/**
 * Sums the invoices that were issued within a time span and are not void, by group and in total, in one statement. The
 * amounts are the present ones.
 */
export async function reportDues({ from, to, groupBy, payerType, chapters }: DuesReportRequest) {
  const { key, name, join = '' } = GROUPS[groupBy];
  const sums = DUES_SUMS.map((sum) => `coalesce(sum(i.${sum}), 0)::bigint AS ${sum}`).join(', ');
  const groups = await rows<DuesReportRow>(
    `SELECT ${key} AS "group", ${name} AS name, count(*)::int AS invoices, ${sums}
       FROM chapter_invoices i ${join}
      WHERE i.organization_id = $1 AND i.status <> 'void' AND i.issue_date BETWEEN $2 AND $3
        AND ($4::text IS NULL OR i.payer_type = $4) AND ($5::uuid[] IS NULL OR i.chapter_id = ANY ($5))
      GROUP BY GROUPING SETS ((${key}, ${name}), ()) ORDER BY grouping(${key}), name NULLS LAST, "group"`,
    [currentOrganization(), from, to, payerType ?? null, chapters],
  );
  // The last row is the total, which exists even without invoices.
  const { group: _, name: __, ...total } = groups.pop() as DuesReportRow;
  return { groups, total };
}
