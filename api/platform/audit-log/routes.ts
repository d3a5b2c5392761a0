import { z } from 'zod';
import { exportPlatformAuditLog, readPlatformAuditLog } from '../../../models/platform/readPlatformAuditLog.js';
import { csvAnswer } from '../../http/csvAnswer.js';
import { pageOf, pageRequest, presentPage } from '../../http/pagination.js';
import { get } from '../../http/routes.js';
import { AuditLogFilters, auditLogFilters, entryFields } from '../../organizations/audit-log/schema.js';
import { platformAuditLogTable } from '../../organizations/audit-log/table.js';

const PlatformAuditEntryJson = z
  .object({
    ...entryFields,
    organization: z.uuid().nullable().meta({ description: 'The changed organization; null for changes in none.' }),
  })
  .meta({ id: 'PlatformAuditEntry' });

export const platformAuditLogRoutes = [
  get(
    '/api/platform/audit-log/',
    {
      summary: "List the platform's audit log, newest first",
      description:
        'Changes that platform admins made under `/api/platform/`, and retries of processes without an organization. Values about people are left out.',
      access: 'platform',
      tags: ['platform'],
      query: AuditLogFilters,
      response: pageOf(PlatformAuditEntryJson),
      textResponse: 'text/csv',
    },
    async ({ query, request }) => {
      const filters = auditLogFilters(query);
      if (query.format === 'csv')
        return csvAnswer('platform-audit-log', platformAuditLogTable(exportPlatformAuditLog(filters)));
      return presentPage(await readPlatformAuditLog(filters, pageRequest(query)), query, request, (row) => row);
    },
  ),
];
