import { DataTypes } from 'sequelize';
import { z } from 'zod';
import { column, integer, json, link, moment, oneOf, stamps, tenantKeys, text } from '../../database/model/columns.js';
import { defineModel, derived } from '../../database/model/defineModel.js';
import { moment as momentJson, previewHash } from '../../fields.js';
import { IMPORT_STEPS } from '../../../workflows/contracts/importStep.js';
import { RIGHT_LOST_DESCRIPTION } from '../holdsRight.js';
import { IMPORT_FIELDS } from './fields.js';
import { DAY_ORDERS } from './normalizeDay.js';

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

/** Steps that change members or notify people, in the name of the person who started the step. */
export const STEPS_FOR_PEOPLE = ['process', 'send_invitations', 'undo'] as const;

/** Reasons why a file cannot be read, as the table reader reports them (`TableUnreadable`). */
const UNREADABLE_REASONS = {
  unknown_format: 'it is neither a CSV text nor an XLSX workbook.',
  damaged: 'it is damaged, or contains parts that do not belong in a table.',
  too_large: 'it has more than 20 MB, or unpacks to more than 200 MB.',
  too_many_rows: 'it has more than 50,000 lines.',
  too_many_columns: 'it has more than 100 columns.',
  empty: 'it has no lines.',
  timeout: 'reading it took too long.',
};
export type UnreadableReason = keyof typeof UNREADABLE_REASONS;
const UNREADABLE = Object.keys(UNREADABLE_REASONS) as [UnreadableReason, ...UnreadableReason[]];

/** Time after the end of an import during which it can be undone. */
export const UNDO_WINDOW = "interval '24 hours'";

const MAX_INT = 2_147_483_647;
const count = () => integer(0, MAX_INT).default(0).serverSet();

/** An import of a roster from a table, with its progress. */
export class BulkImport extends defineModel({
  table: 'bulk_imports',
  columns: {
    ...tenantKeys,
    file_id: link().nullable().serverSet().hidden(),
    file_name: text(200).serverSet(),
    stage: oneOf(IMPORT_STAGES).default('upload').serverSet(),
    outcome: oneOf(IMPORT_OUTCOMES).nullable().serverSet().meta({ description: RIGHT_LOST_DESCRIPTION }),
    failure: column(DataTypes.TEXT, z.string())
      .nullable()
      .serverSet()
      .meta({ description: 'Why it failed: the file could not be read.', example: 'file_not_readable' }),
    failure_reason: oneOf(UNREADABLE)
      .nullable()
      .serverSet()
      .meta({
        description: `Why the file could not be read. ${Object.entries(UNREADABLE_REASONS)
          .map(([reason, words]) => `\`${reason}\`: ${words}`)
          .join(' ')}`,
        example: 'too_many_rows',
      }),
    step: oneOf(IMPORT_STEPS)
      .nullable()
      .serverSet()
      .meta({ description: 'The step that is running now. Null: the import waits for a person, or has ended.' }),
    stopped_step: oneOf(STEPS_FOR_PEOPLE).nullable().serverSet().meta({
      description:
        'The step that stopped before all its lines were done, because the person who started it lost the right. Null again once another step begins.',
    }),
    step_started_at: moment().nullable().hidden(),
    runs: integer(0, MAX_INT).default(0).serverSet().hidden(),
    line: integer(0, MAX_INT).default(0).serverSet().hidden(),
    columns: json(z.array(z.string()))
      .default([])
      .serverSet()
      .meta({ description: 'The column titles, in the order of the file.' }),
    mapping: json(z.partialRecord(z.enum(IMPORT_FIELDS), z.int()))
      .default({})
      .serverSet()
      .meta({ description: 'Maps each field to the number of its column, from 0. A guess until a person sets it.' }),
    mapped_at: moment().nullable().hidden(),
    chapter_id: link()
      .as('chapter')
      .nullable()
      .serverSet()
      .meta({ description: 'The chapter of lines that name none.' }),
    day_order: oneOf(DAY_ORDERS)
      .default('ymd')
      .serverSet()
      .meta({ description: 'How days are written when the year comes last; in `mdy` the month comes first.' }),
    preview_hash: column(DataTypes.TEXT, previewHash).nullable().serverSet(),
    on_existing: oneOf(ON_EXISTING).nullable().serverSet(),
    rows_total: count(),
    rows_create: count().meta({
      description: 'According to the preview, like rows_update, rows_unchanged and rows_error.',
    }),
    rows_update: count(),
    rows_unchanged: count(),
    rows_error: count(),
    rows_created: count(),
    rows_updated: count(),
    rows_left: count().meta({
      description: 'Lines that changed nothing, or were skipped because the member already exists.',
    }),
    rows_failed: count().meta({
      description: 'Lines that were not valid, or whose member has changed since the preview.',
    }),
    rows_undone: count(),
    rows_kept: count().meta({
      description: 'Lines that the undo left as they are, because their member was changed after the import.',
    }),
    started_by: link().nullable().serverSet(),
    undone_by: link().nullable().serverSet(),
    ended_at: moment().nullable(),
    undone_at: moment().nullable(),
    lines_erased_at: moment().nullable().meta({
      description:
        'When the lines were erased, after 30 days without activity: lines that created no member, or all lines of an import that was never confirmed.',
    }),
    created_at: stamps.created_at,
    updated_at: stamps.updated_at.hidden(),
  },
  derived: {
    undoable_until: derived(
      momentJson.nullable(),
      `CASE WHEN bulk_imports.outcome IN ('completed', 'completed_with_errors', 'cancelled', 'stopped_right_lost')
         THEN to_json(bulk_imports.ended_at + ${UNDO_WINDOW}) #>> '{}' END`,
    ),
  },
}) {}
