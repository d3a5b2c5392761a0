import { exportAuditLog, readAuditLog } from '../../../models/organizations/readAuditLog.js';
import { csvAnswer } from '../../http/csvAnswer.js';
import { pageOf, pageRequest, presentPage } from '../../http/pagination.js';
import { authorize, by, nationalAdmin, policy } from '../../http/policy.js';
import { get } from '../../http/routes.js';
import { OrganizationParams } from '../../http/params.js';
import { AuditEntryJson, AuditLogFilters, auditLogFilters } from './schema.js';
import { auditLogTable } from './table.js';

const auditLogPolicy = policy('audit log', { read: [nationalAdmin] });

export const auditLogRoutes = [
  get(
    '/api/organizations/:organization_id/audit-log/',
    {
      summary: 'List audit log entries, newest first',
      description:
        'With `format=csv`, an error on the way breaks the connection, so a complete answer is a complete log.',
      rule: by(auditLogPolicy, 'read'),
      access: 'tenant',
      tags: ['organizations'],
      params: OrganizationParams,
      query: AuditLogFilters,
      response: pageOf(AuditEntryJson),
      textResponse: 'text/csv',
    },
    async ({ actor, query, request }) => {
      authorize(actor, auditLogPolicy, 'read');
      const filters = auditLogFilters(query);
      if (query.format === 'csv')
        return csvAnswer('audit-log', auditLogTable(exportAuditLog(actor.organizationId, filters)));
      const page = await readAuditLog(filters, pageRequest(query));
      return presentPage(page, query, request, (row) => row);
    },
  ),
];
