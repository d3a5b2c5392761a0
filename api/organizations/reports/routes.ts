import { z } from 'zod';
import {
  ENTRY_KINDS,
  EXIT_KINDS,
  REPORT_GROUPS,
  reportMembers,
  totalOf,
} from '../../../models/organizations/reports/memberReport.js';
import { csvAnswer, formatField } from '../../http/csvAnswer.js';
import { OrganizationParams } from '../../http/params.js';
import { by, chaptersWithin, nationalAdmin, policy, regionalAdminOfChapter } from '../../http/policy.js';
import { get } from '../../http/routes.js';
import { pastDay } from '../memberships/schema.js';
import { reportSpan } from './reportSpan.js';
import { memberReportTable } from './table.js';

const dayWithDescription = (description: string) => pastDay.optional().meta({ description, example: '2025-08-31' });

const MemberReportQuery = z.object({
  from: dayWithDescription('First day; members are counted at its end. Defaults to a year before the last day.'),
  to: dayWithDescription("Last day; defaults to the organization's current date."),
  group_by: z.enum(REPORT_GROUPS).default('chapter').meta({
    description: 'The status is that of the day; chapter, region and year are the current ones.',
  }),
  format: formatField,
});

const sums = <Way extends string>(ways: readonly Way[]) =>
  z.object(Object.fromEntries(ways.map((way) => [way, z.int()])) as Record<Way, z.ZodInt>);

const figures = {
  start: z
    .int()
    .meta({ description: 'Members at the end of the first day who are neither inactive nor disaffiliated.' }),
  in: sums(ENTRY_KINDS).meta({
    description: 'Members who joined since, by cause. A move between groups counts in both `out` and `in`.',
  }),
  out: sums(EXIT_KINDS).meta({ description: 'Members who left, by cause.' }),
  end: z.int().meta({ description: '`start` plus the sum of `in` minus the sum of `out`.' }),
};

const MemberReportJson = z
  .object({
    from: z.iso.date(),
    to: z.iso.date(),
    group_by: z.enum(REPORT_GROUPS),
    groups: z.array(
      z.object({
        group: z.string().nullable().meta({ description: 'An id, a status or a year; null for members without one.' }),
        name: z.string().nullable(),
        ...figures,
      }),
    ),
    total: z.object(figures),
  })
  .meta({ id: 'MemberReport' });

/** Regional admins see the chapters of their region. */
const memberReportPolicy = policy('member report', { read: [nationalAdmin, regionalAdminOfChapter] });

export const reportRoutes = [
  get(
    '/api/organizations/:organization_id/reports/members/',
    {
      summary: 'Get member counts at two days, and the changes between them',
      description: 'Covers all chapters for admins of the organization, and their chapters for regional admins.',
      operationId: 'getMemberReport',
      access: 'tenant',
      tags: ['organizations'],
      rule: by(memberReportPolicy, 'read'),
      params: OrganizationParams,
      query: MemberReportQuery,
      response: MemberReportJson,
      textResponse: 'text/csv',
    },
    async ({ actor, query }) => {
      const chapters = chaptersWithin(actor, memberReportPolicy, 'read');
      const { group_by, format } = query;
      const span = await reportSpan(query);
      const groups = await reportMembers({ ...span, groupBy: group_by, chapters });
      if (format === 'json') return { ...span, group_by, groups, total: totalOf(groups) };
      return csvAnswer(`members-${span.from}-${span.to}`, memberReportTable(groups));
    },
  ),
];
