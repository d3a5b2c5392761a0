import { z } from 'zod';
import { moment, recordId } from '../../../models/fields.js';
import { instant } from '../../http/instant.js';
import { formatField } from '../../http/csvAnswer.js';
import { pageQuery } from '../../http/pagination.js';
import { shownEmail } from '../people.js';

export const AuditLogFilters = z.object({
  ...pageQuery,
  actor: recordId.optional().meta({ description: 'Id of the acting user.' }),
  action: z.string().max(100).optional().meta({ example: 'membership.updated' }),
  subject_type: z.string().max(100).optional().meta({ example: 'membership' }),
  subject_id: recordId.optional(),
  request_id: z.string().max(100).optional(),
  since: instant('Inclusive.', '2025-09-01T00:00:00.000Z'),
  until: instant('Exclusive.', '2025-10-01T00:00:00.000Z'),
  format: formatField.meta({ description: '`csv`: all entries as a table, regardless of `page` and `page_size`.' }),
});

const fields = z.record(z.string(), z.unknown()).nullable();

/** Fields of an entry of the log of an organization and of the platform. */
export const entryFields = {
  id: z.uuid(),
  actor: z
    .object({ id: z.uuid(), email: shownEmail, first_name: z.string(), last_name: z.string() })
    .nullable()
    .meta({ description: 'Null for actions of the platform itself.' }),
  action: z.string().meta({ example: 'membership.updated' }),
  subject_type: z.string(),
  subject_id: z.uuid().nullable(),
  request_id: z.string().nullable(),
  before: fields.meta({ description: 'Changed fields only.' }),
  after: fields.meta({ description: 'Changed fields only.' }),
  created_at: moment,
};

export const AuditEntryJson = z
  .object({
    ...entryFields,
    ip_address: z.string().nullable(),
    erased: z
      .boolean()
      .meta({ description: 'True if a person in this entry was erased. Their values are null; the field names stay.' }),
  })
  .meta({ id: 'AuditEntry' });

/** Converts a query into the filters of the log of an organization and of the platform. */
export const auditLogFilters = (query: z.output<typeof AuditLogFilters>) => ({
  actor: query.actor,
  action: query.action,
  subjectType: query.subject_type,
  subjectId: query.subject_id,
  requestId: query.request_id,
  since: query.since,
  until: query.until,
});
