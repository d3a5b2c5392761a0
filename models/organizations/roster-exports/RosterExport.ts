import { z } from 'zod';
import { integer, json, link, moment, oneOf, stamps, tenantKeys, yesOrNo } from '../../database/model/columns.js';
import { defineModel, derived } from '../../database/model/defineModel.js';
import { moment as momentJson, name, recordId } from '../../fields.js';
import { organizationsErrors } from '../errors.js';
import { GRADUATION_YEARS, MEMBERSHIP_ROLES, MEMBERSHIP_STATUSES } from '../vocabulary.js';

const EXPORT_STATUSES = ['running', 'ready', 'failed', 'cancelled'] as const;
export type ExportStatus = (typeof EXPORT_STATUSES)[number];

/**
 * How long a finished export's file can be downloaded. The sweep of files uses the same time
 * (`files_leaving_stores.sql`).
 */
const RETENTION = "interval '3 days'";

/** The filters of the roster; a member must match all of them. */
const Filters = z.strictObject({
  chapter: recordId.optional(),
  region: recordId.optional(),
  status: z.enum(MEMBERSHIP_STATUSES).optional(),
  role: z.enum(MEMBERSHIP_ROLES).optional(),
  pledge_class: name(100).optional(),
  graduation_year: z.int().min(GRADUATION_YEARS.first).max(GRADUATION_YEARS.last).optional(),
});
export type ExportFilters = z.output<typeof Filters>;

const MAX_INT = 2_147_483_647;

/** An export of the roster to a file, which the requester and the other admins can download. */
export class RosterExport extends defineModel({
  table: 'roster_exports',
  subject: 'roster_export',
  columns: {
    ...tenantKeys,
    format: oneOf(['csv', 'xlsx']),
    filters: json(Filters).default({}).meta({ description: "Filters as in the roster's list. Default: all members." }),
    with_profiles: yesOrNo()
      .default(false)
      .meta({ description: "Also the members' profiles: preferred name, date of birth, address." }),
    status: oneOf(EXPORT_STATUSES).default('running').serverSet(),
    failure: oneOf(['too_many_rows']).nullable().serverSet().meta({
      description: 'A worksheet has at most 1,048,575 rows. Choose CSV, or fewer members.',
    }),
    members_total: integer(0, MAX_INT)
      .nullable()
      .serverSet()
      .meta({ description: 'Members who matched the filters when the export began.' }),
    rows_written: integer(0, MAX_INT).default(0).serverSet(),
    requested_by: link().nullable().serverSet(),
    file_id: link()
      .as('file')
      .nullable()
      .serverSet()
      .meta({ description: 'Null: not written yet, or no longer available.' }),
    ended_at: moment().nullable(),
    created_at: stamps.created_at,
    updated_at: stamps.updated_at.hidden(),
  },
  derived: {
    available_until: derived(
      momentJson.nullable(),
      `CASE WHEN roster_exports.status = 'ready' THEN to_json(roster_exports.ended_at + ${RETENTION}) #>> '{}' END`,
    ),
    workflow_id: derived(z.string(), `'roster-export/' || roster_exports.id`),
  },
  constraints: { roster_exports_one_running: organizationsErrors.export_in_progress },
}) {}
