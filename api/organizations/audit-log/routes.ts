import { readAuditLog } from '../../../models/organizations/readAuditLog.js';
import { pageOf, presentPage } from '../../http/pagination.js';
import { authorize, by, nationalAdmin, policy } from '../../http/policy.js';
import { get } from '../../http/routes.js';
import { OrganizationParams } from '../../http/params.js';
import { AuditEntryJson, AuditLogFilters, auditLogFilters } from './schema.js';

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
      const page = await readAuditLog(auditLogFilters(query));
      return presentPage(page, query, request, (row) => row);
    },
  ),
];
