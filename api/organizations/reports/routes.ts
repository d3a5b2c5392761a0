import { invalid } from '../../../models/errors.js';
import { reportMembers, totalOf } from '../../../models/organizations/reports/memberReport.js';
import { OrganizationParams } from '../../http/params.js';
import { by, chaptersWithin, nationalAdmin, policy, regionalAdminOfChapter } from '../../http/policy.js';
import { get } from '../../http/routes.js';
import { MemberReportJson, MemberReportQuery } from './schema.js';

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
