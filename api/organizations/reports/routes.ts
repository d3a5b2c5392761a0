import { reportMembers, totalOf } from '../../../models/organizations/reports/memberReport.js';
import { OrganizationParams } from '../../http/params.js';
import { by, chaptersWithin } from '../../http/policy.js';
import { get } from '../../http/routes.js';
import { memberReportPolicy } from './policy.js';
import { MemberReportJson, MemberReportQuery } from './schema.js';

export const reportRoutes = [
  get(
    '/api/organizations/:organization_id/reports/members/',
    {
      summary: 'Who stood at two days, and how they came and went between them',
      description: 'Of all for admins of the organization, of their chapters for admins of a region.',
      operationId: 'getMemberReport',
      access: 'tenant',
      tags: ['organizations'],
      rule: by(memberReportPolicy, 'read'),
      params: OrganizationParams,
      query: MemberReportQuery,
      response: MemberReportJson,
    },
    async ({ actor, query: { from, to, group_by } }) => {
      const chapters = chaptersWithin(actor, memberReportPolicy, 'read');
      const groups = await reportMembers({ from, to, groupBy: group_by, chapters });
      return { from, to, group_by, groups, total: totalOf(groups) };
    },
  ),
];
