import { z } from 'zod';
import { readAuditLog } from '../../../models/organizations/readAuditLog.js';
import { moment, recordId } from '../../../models/fields.js';
import { pageOf, pageQuery, pageRequest, presentPage } from '../../http/pagination.js';
import { authorize, by, nationalAdmin, policy } from '../../http/policy.js';
import { get } from '../../http/routes.js';
import { OrganizationParams } from '../../http/params.js';
import { instant } from '../../http/instant.js';
import { shownEmail } from '../people.js';

const AuditLogFilters = z.object({
  ...pageQuery,
  actor: recordId.optional().meta({ description: 'Id of the acting user.' }),
  action: z.string().max(100).optional().meta({ example: 'membership.updated' }),
  subject_type: z.string().max(100).optional().meta({ example: 'membership' }),
  subject_id: recordId.optional(),
  request_id: z.string().max(100).optional(),
  since: instant('Inclusive.', '2025-09-01T00:00:00.000Z'),
  until: instant('Exclusive.', '2025-10-01T00:00:00.000Z'),
});

const fields = z.record(z.string(), z.unknown()).nullable();

const AuditEntryJson = z
  .object({
    id: z.uuid(),
    actor: z
      .object({ id: z.uuid(), email: shownEmail, first_name: z.string(), last_name: z.string() })
      .nullable()
      .meta({ description: 'Null for actions of the platform itself.' }),
    action: z.string().meta({ example: 'membership.updated' }),
    subject_type: z.string(),
    subject_id: z.uuid().nullable(),
    request_id: z.string().nullable(),
    ip_address: z.string().nullable(),
    before: fields.meta({ description: 'Changed fields only.' }),
    after: fields.meta({ description: 'Changed fields only.' }),
    erased: z
      .boolean()
      .meta({ description: 'True if a person in this entry was erased. Their values are null; the field names stay.' }),
    created_at: moment,
  })
  .meta({ id: 'AuditEntry' });

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
