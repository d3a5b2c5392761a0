import { z } from 'zod';
import { invalid } from '../../../models/errors.js';
import {
  ENTRY_KINDS,
  EXIT_KINDS,
  REPORT_GROUPS,
  reportMembers,
  totalOf,
} from '../../../models/organizations/reports/memberReport.js';
import { OrganizationParams } from '../../http/params.js';
import { by, chaptersWithin, nationalAdmin, policy, regionalAdminOfChapter } from '../../http/policy.js';
import { get } from '../../http/routes.js';
import { pastDay } from '../memberships/schema.js';

const dayWithDescription = (description: string) => pastDay.optional().meta({ description, example: '2025-08-31' });

const MemberReportQuery = z.object({
  from: dayWithDescription('First day; members are counted at its end. Defaults to a year before the last day.'),
  to: dayWithDescription('Last day; defaults to today.'),
  group_by: z.enum(REPORT_GROUPS).default('chapter').meta({
    description: 'The status is that of the day; chapter, region and year are the current ones.',
  }),
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

const today = (): string => new Date().toISOString().slice(0, 10);
const yearBefore = (day: string): string => new Date(Date.parse(day) - 365 * 86_400_000).toISOString().slice(0, 10);

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
    },
    async ({ actor, query: { to = today(), from = yearBefore(to), group_by } }) => {
      const chapters = chaptersWithin(actor, memberReportPolicy, 'read');
      if (from > to) throw invalid('from', 'Must not be after to.');
      const groups = await reportMembers({ from, to, groupBy: group_by, chapters });
      return { from, to, group_by, groups, total: totalOf(groups) };
    },
  ),
];
