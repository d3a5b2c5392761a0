import { z } from 'zod';
import { integer, json, link, moment, oneOf, stamps, tenantKeys, yesOrNo } from '../../database/model/columns.js';
import { defineModel, derived } from '../../database/model/defineModel.js';
import { moment as momentJson, name, recordId } from '../../fields.js';
import { organizationsErrors } from '../errors.js';
import { GRADUATION_YEARS, MEMBERSHIP_ROLES, MEMBERSHIP_STATUSES } from '../vocabulary.js';

const EXPORT_STATUSES = ['running', 'ready', 'failed', 'cancelled'] as const;
export type ExportStatus = (typeof EXPORT_STATUSES)[number];

/** After its end; the sweep of files goes by the same (`files_to_remove.sql`). */
const KEPT = "interval '3 days'";

/** The roster's own; together they narrow it. */
const Filters = z.strictObject({
  chapter: recordId.optional(),
  region: recordId.optional(),
  status: z.enum(MEMBERSHIP_STATUSES).optional(),
  role: z.enum(MEMBERSHIP_ROLES).optional(),
  pledge_class: name(100).optional(),
  graduation_year: z.int().min(GRADUATION_YEARS.first).max(GRADUATION_YEARS.last).optional(),
});
export type ExportFilters = z.output<typeof Filters>;

const most = 2_147_483_647;

/** A roster as a file, for whoever asked for it and the other admins. */
export class RosterExport extends defineModel({
  table: 'roster_exports',
  subject: 'roster_export',
  columns: {
    ...tenantKeys,
    format: oneOf(['csv', 'xlsx']),
    filters: json(Filters)
      .default({})
      .meta({ description: "Which members, as in the roster's own list; left out: all." }),
    with_profiles: yesOrNo()
      .default(false)
      .meta({ description: 'Also what members say of themselves: preferred name, date of birth, address.' }),
    status: oneOf(EXPORT_STATUSES).default('running').kept(),
    failure: oneOf(['too_many_rows']).nullable().kept().meta({
      description: 'A worksheet has no more than 1,048,575 rows: take CSV, or fewer members.',
    }),
    members_total: integer(0, most)
      .nullable()
      .kept()
      .meta({ description: 'Whom the filters let through at its beginning.' }),
    rows_written: integer(0, most).default(0).kept(),
    requested_by: link().nullable().kept(),
    file_id: link().as('file').nullable().kept().meta({ description: 'null: not yet, or not any more.' }),
    ended_at: moment().nullable(),
    created_at: stamps.created_at,
    updated_at: stamps.updated_at.hidden(),
  },
  derived: {
    available_until: derived(
      momentJson.nullable(),
      `CASE WHEN roster_exports.status = 'ready' THEN to_json(roster_exports.ended_at + ${KEPT}) #>> '{}' END`,
    ),
    workflow_id: derived(z.string(), `'roster-export/' || roster_exports.id`),
  },
  constraints: { roster_exports_one_running: organizationsErrors.export_in_progress },
}) {}
