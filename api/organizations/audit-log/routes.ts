import { readAuditLog } from '../../../models/organizations/readAuditLog.js';
import { pageOf, pageRequest, presentPage } from '../../http/pagination.js';
import { authorize, by, nationalAdmin, policy } from '../../http/policy.js';
import { get } from '../../http/routes.js';
import { OrganizationParams } from '../../http/params.js';
import { AuditEntryJson, AuditLogFilters } from './schema.js';

const auditLogPolicy = policy('audit log', { read: [nationalAdmin] });

export const auditLogRoutes = [
  get(
    '/api/organizations/:organization_id/audit-log/',
    {
      summary: 'List audit log entries, newest first',
      rule: by(auditLogPolicy, 'read'),
      access: 'tenant',
      tags: ['organizations'],
      params: OrganizationParams,
      query: AuditLogFilters,
      response: pageOf(AuditEntryJson),
    },
    async ({ actor, query, request }) => {
      authorize(actor, auditLogPolicy, 'read');
      const { actor: by, action, since, until, ...filters } = query;
      const subject = {
        subjectType: filters.subject_type,
        subjectId: filters.subject_id,
        requestId: filters.request_id,
      };
      const page = await readAuditLog({ actor: by, action, since, until, ...subject, ...pageRequest(query) });
      return presentPage(page, query, request, (row) => row);
    },
  ),
];
