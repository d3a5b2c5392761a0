import { DataTypes } from 'sequelize';
import { z } from 'zod';
import { column, integer, json, link, moment, oneOf, stamps, tenantKeys, text } from '../../database/model/columns.js';
import { defineModel, derived } from '../../database/model/defineModel.js';
import { moment as momentJson, previewHash } from '../../fields.js';
import { IMPORT_STEPS } from '../../../workflows/contracts/importStep.js';
import { RIGHT_LOST_MEANS } from '../holdsRight.js';
import { IMPORT_FIELDS } from './fields.js';
import { DAY_ORDERS } from './writtenDay.js';

const IMPORT_STAGES = ['upload', 'mapping', 'preview', 'processing'] as const;
const IMPORT_OUTCOMES = [
  'completed',
  'completed_with_errors',
  'failed',
  'cancelled',
  'undone',
  'stopped_right_lost',
] as const;
export const ON_EXISTING = ['skip', 'fill_empty', 'overwrite'] as const;

/** Steps that change members or tell people, in the name of the person who asked for it. */
export const STEPS_FOR_PEOPLE = ['process', 'send_invitations', 'undo'] as const;

/** As the reader of tables says it (`TableUnreadable`). */
const WHY_UNREADABLE = {
  unknown_format: 'it is neither a CSV text nor an XLSX workbook.',
  damaged: 'it is damaged, or holds what no table needs.',
  too_large: 'it has more than 20 MB, or unpacks to more than 200 MB.',
  too_many_rows: 'it has more than 50,000 lines.',
  too_many_columns: 'it has more than 100 columns.',
  empty: 'it has no lines.',
  timeout: 'reading it took too long.',
};
export type WhyUnreadable = keyof typeof WHY_UNREADABLE;
const UNREADABLE = Object.keys(WHY_UNREADABLE) as [WhyUnreadable, ...WhyUnreadable[]];

/** After its end. */
export const UNDOABLE = "interval '24 hours'";

const most = 2_147_483_647;
const count = () => integer(0, most).default(0).kept();

/** A roster that comes in as a table, and how far that has come. */
export class BulkImport extends defineModel({
  table: 'bulk_imports',
  columns: {
    ...tenantKeys,
    file_id: link().nullable().kept().hidden(),
    file_name: text(200).kept(),
    stage: oneOf(IMPORT_STAGES).default('upload').kept(),
    outcome: oneOf(IMPORT_OUTCOMES).nullable().kept().meta({ description: RIGHT_LOST_MEANS }),
    failure: column(DataTypes.TEXT, z.string())
      .nullable()
      .kept()
      .meta({ description: 'Why it failed: the file could not be read.', example: 'file_not_readable' }),
    failure_reason: oneOf(UNREADABLE)
      .nullable()
      .kept()
      .meta({
        description: `Why the file could not be read. ${Object.entries(WHY_UNREADABLE)
          .map(([reason, words]) => `\`${reason}\`: ${words}`)
          .join(' ')}`,
        example: 'too_many_rows',
      }),
    step: oneOf(IMPORT_STEPS)
      .nullable()
      .kept()
      .meta({ description: 'What a process does with it now; null: it waits for people, or is over.' }),
    stopped_step: oneOf(STEPS_FOR_PEOPLE).nullable().kept().meta({
      description:
        'The step that stopped before its lines were done, since the person who asked for it lost the right. Null again once another step begins.',
    }),
    step_started_at: moment().nullable().hidden(),
    runs: integer(0, most).default(0).kept().hidden(),
    line: integer(0, most).default(0).kept().hidden(),
    columns: json(z.array(z.string())).default([]).kept().meta({ description: 'The titles, in their order.' }),
    mapping: json(z.partialRecord(z.enum(IMPORT_FIELDS), z.int()))
      .default({})
      .kept()
      .meta({ description: 'Which column says which field: its number, from 0. Guessed until somebody says it.' }),
    mapped_at: moment().nullable().hidden(),
    chapter_id: link().as('chapter').nullable().kept().meta({ description: 'Of lines that name none.' }),
    day_order: oneOf(DAY_ORDERS)
      .default('ymd')
      .kept()
      .meta({ description: 'How its days are written where the year comes last: `mdy` has the month first.' }),
    preview_hash: column(DataTypes.TEXT, previewHash).nullable().kept(),
    on_existing: oneOf(ON_EXISTING).nullable().kept(),
    rows_total: count(),
    rows_create: count().meta({ description: 'By the preview; so are update, unchanged and error.' }),
    rows_update: count(),
    rows_unchanged: count(),
    rows_error: count(),
    rows_created: count(),
    rows_updated: count(),
    rows_left: count().meta({ description: 'Nothing was to be changed, or what is there was to be left.' }),
    rows_failed: count().meta({ description: 'Not valid, or changed since the preview.' }),
    rows_undone: count(),
    rows_kept: count().meta({ description: 'Left as they are by the undoing, since somebody has touched them.' }),
    started_by: link().nullable().kept(),
    undone_by: link().nullable().kept(),
    ended_at: moment().nullable(),
    undone_at: moment().nullable(),
    lines_erased_at: moment().nullable().meta({
      description:
        'Nobody has touched it for 30 days: lines that made nobody are erased; where nobody confirmed it, all are gone.',
    }),
    created_at: stamps.created_at,
    updated_at: stamps.updated_at.hidden(),
  },
  derived: {
    undoable_until: derived(
      momentJson.nullable(),
      `CASE WHEN bulk_imports.outcome IN ('completed', 'completed_with_errors', 'cancelled', 'stopped_right_lost')
         THEN to_json(bulk_imports.ended_at + ${UNDOABLE}) #>> '{}' END`,
    ),
  },
}) {}
