import { DataTypes } from 'sequelize';
import { z } from 'zod';
import {
  column,
  integer,
  json,
  link,
  moment,
  oneOf,
  stamps,
  tenantKeys,
  yesOrNo,
} from '../../database/model/columns.js';
import { defineModel, derived } from '../../database/model/defineModel.js';
import { day, inOrder, moment as momentJson, recordId } from '../../fields.js';
import { financesErrors } from '../errors.js';
import { INVOICE_STATUSES, PAYER_TYPES } from '../invoices/ChapterInvoice.js';
import { EXPORT_COLUMNS } from './columns.js';

const STATES = ['queued', 'running', 'ready', 'failed', 'cancelled'] as const;
export type ExportState = (typeof STATES)[number];

/**
 * Time for which a file is kept after its export ended. The sweep of files uses the same interval
 * (`files_leaving_stores.sql`).
 */
const RETENTION = "interval '7 days'";

/** The filters of an export, which are those of the invoice lists. An invoice must match all of them. */
const Filters = z
  .strictObject({
    chapter: recordId.optional(),
    payer_type: z.enum(PAYER_TYPES).optional(),
    status: z.enum(INVOICE_STATUSES).optional(),
    term: recordId.optional(),
    membership: recordId.optional(),
    due_before: day.optional(),
    due_after: day.optional(),
    search: z.string().trim().min(1).max(100).optional(),
  })
  .refine(...inOrder('due_after', 'due_before'));
export type ExportFilters = z.output<typeof Filters>;

const Columns = z
  .array(z.enum(EXPORT_COLUMNS))
  .min(1)
  .refine((names) => new Set(names).size === names.length, 'List each column once.');

const MAX_INTEGER = 2_147_483_647;

/** An export of invoices as a workbook, for its requester and others who may read these invoices. */
export class InvoiceExport extends defineModel({
  table: 'invoice_exports',
  subject: 'invoice_export',
  columns: {
    ...tenantKeys,
    chapter_id: link()
      .nullable()
      .fixed()
      .as('chapter')
      .serverSet()
      .meta({ description: 'null: the whole organization.' }),
    filters: json(Filters).default({}).meta({ description: 'Filters as in the invoice lists. Default: all invoices.' }),
    columns: json(Columns)
      .default([...EXPORT_COLUMNS])
      .meta({
        description:
          'Columns in this order. Default: all. Amount columns are left out for requesters who do not see amounts.',
      }),
    state: oneOf(STATES).default('queued').hidden().serverSet(),
    place: integer(1, 3).nullable().hidden().serverSet(),
    failure: oneOf(['too_many_rows'])
      .nullable()
      .serverSet()
      .meta({ description: 'A worksheet has at most 1,048,575 rows: filter for fewer invoices.' }),
    cut_off: moment()
      .nullable()
      .serverSet()
      .meta({ description: 'Invoices created after this time are not included.' }),
    rows_total: integer(0, MAX_INTEGER).nullable().serverSet(),
    rows_done: integer(0, MAX_INTEGER).default(0).serverSet(),
    has_amounts: yesOrNo().nullable().serverSet(),
    sha256: column(DataTypes.TEXT, z.string()).nullable().serverSet(),
    requested_by: link().nullable().serverSet(),
    file_id: link().nullable().hidden().serverSet(),
    ended_at: moment().nullable(),
    version: stamps.version.hidden(),
    created_at: stamps.created_at,
    updated_at: stamps.updated_at.hidden(),
  },
  derived: {
    status: derived(
      z.enum([...STATES, 'expired']),
      `CASE WHEN invoice_exports.state = 'ready' AND (invoice_exports.file_id IS NULL OR invoice_exports.ended_at + ${RETENTION} < now())
         THEN 'expired' ELSE invoice_exports.state END`,
    ),
    available_until: derived(
      momentJson.nullable(),
      `CASE WHEN invoice_exports.state = 'ready' THEN to_json(invoice_exports.ended_at + ${RETENTION}) #>> '{}' END`,
    ),
    workflow_id: derived(z.string(), `'invoice-export/' || invoice_exports.id`),
  },
  constraints: { invoice_exports_places: financesErrors.export_limit },
}) {}
