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

/** After its end; the sweep of files goes by the same (`files_leaving_stores.sql`). */
const KEPT = "interval '7 days'";

/** The lists' own; together they narrow it. */
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
  .refine((names) => new Set(names).size === names.length, 'Name each column once.');

const most = 2_147_483_647;

/** Invoices as a workbook, for whoever asked for it and others who may read these invoices. */
export class InvoiceExport extends defineModel({
  table: 'invoice_exports',
  subject: 'invoice_export',
  columns: {
    ...tenantKeys,
    chapter_id: link()
      .nullable()
      .fixed()
      .as('chapter')
      .kept()
      .meta({ description: 'null: of the whole organization.' }),
    filters: json(Filters).default({}).meta({ description: 'Which invoices, as in the lists; left out: all.' }),
    columns: json(Columns)
      .default([...EXPORT_COLUMNS])
      .meta({ description: 'In this order; left out: all. Who sees no amounts has none in the file.' }),
    state: oneOf(STATES).default('queued').hidden().kept(),
    place: integer(1, 3).nullable().hidden().kept(),
    failure: oneOf(['too_many_rows'])
      .nullable()
      .kept()
      .meta({ description: 'A worksheet has no more than 1,048,575 rows: take fewer invoices.' }),
    cut_off: moment().nullable().kept().meta({ description: 'Invoices that were made later are not in it.' }),
    rows_total: integer(0, most).nullable().kept(),
    rows_done: integer(0, most).default(0).kept(),
    has_amounts: yesOrNo().nullable().kept(),
    sha256: column(DataTypes.TEXT, z.string()).nullable().kept(),
    requested_by: link().nullable().kept(),
    file_id: link().nullable().hidden().kept(),
    ended_at: moment().nullable(),
    version: stamps.version.hidden(),
    created_at: stamps.created_at,
    updated_at: stamps.updated_at.hidden(),
  },
  derived: {
    status: derived(
      z.enum([...STATES, 'expired']),
      `CASE WHEN invoice_exports.state = 'ready' AND (invoice_exports.file_id IS NULL OR invoice_exports.ended_at + ${KEPT} < now())
         THEN 'expired' ELSE invoice_exports.state END`,
    ),
    available_until: derived(
      momentJson.nullable(),
      `CASE WHEN invoice_exports.state = 'ready' THEN to_json(invoice_exports.ended_at + ${KEPT}) #>> '{}' END`,
    ),
    workflow_id: derived(z.string(), `'invoice-export/' || invoice_exports.id`),
  },
  constraints: { invoice_exports_places: financesErrors.export_limit },
}) {}
