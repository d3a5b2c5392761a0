import { z } from 'zod';
import { inOrder, moment, previewHash, text } from '../../../models/fields.js';
import {
  BULK_ACTIONS,
  MAX_TARGETS,
  ProcessBulkAction,
} from '../../../models/processes/bulk-actions/ProcessBulkAction.js';
import { TARGET_OUTCOMES, type TargetOutcome } from '../../../models/processes/bulk-actions/ProcessBulkActionTarget.js';
import { rowJson } from '../../../models/database/model/schemas.js';
import { PROCESS_KINDS } from '../../../workflows/contracts/index.js';
import { pageOf, pageQuery } from '../../http/pagination.js';
import { filters, ProcessParams } from '../schema.js';

const action = z.enum(BULK_ACTIONS);
const kind = z.enum(PROCESS_KINDS.map((facts) => facts.kind));
const { id } = ProcessParams.shape;

const Filter = z
  .strictObject({ ...filters, stuck: z.boolean().optional() })
  .refine(...inOrder('started_after', 'started_before'))
  .meta({ description: 'The filters of the list of processes. For a preview only.' });

const required = (name: string) => ({ path: [name], message: 'Required to confirm a preview.' });

export const BulkActionRequest = z
  .strictObject({
    action,
    dry_run: z.boolean().default(false).meta({ description: 'True: answer with a preview and change nothing.' }),
    filter: Filter.optional(),
    ids: z
      .array(id)
      .min(1)
      .max(MAX_TARGETS)
      .transform((ids) => [...new Set(ids)])
      .optional()
      .meta({ description: 'Ids of processes. To confirm a preview, exactly its `ids`.' }),
    preview_hash: previewHash.optional(),
    reason: text(500).min(3).optional().meta({ description: 'Kept in the audit log.' }),
  })
  .refine(({ dry_run, filter, ids }) => !dry_run || (filter === undefined) !== (ids === undefined), {
    path: ['ids'],
    message: 'Send either filter or ids.',
  })
  .refine(({ dry_run, filter }) => dry_run || filter === undefined, {
    path: ['filter'],
    message: 'Only allowed with dry_run.',
  })
  .refine(({ dry_run, ids }) => dry_run || ids !== undefined, required('ids'))
  .refine(({ dry_run, preview_hash }) => dry_run || preview_hash !== undefined, required('preview_hash'))
  .refine(({ dry_run, reason }) => dry_run || reason !== undefined, required('reason'))
  .meta({
    id: 'ProcessBulkActionRequest',
    example: { action: 'retry', dry_run: true, filter: { kind: 'remittance_payment', stuck: true } },
  });

export const BulkActionPreview = z
  .object({
    dry_run: z.literal(true),
    action,
    preview_hash: previewHash,
    ids: z.array(z.string()).meta({ description: 'The processes that would be retried or cancelled.' }),
    by_kind: z.array(z.object({ kind, count: z.int() })).meta({ description: 'Numbers of `ids`, by kind.' }),
    by_money_moved: z
      .object({ yes: z.int(), no: z.int(), unknown: z.int() })
      .meta({ description: 'Numbers of `ids`, by whether money has moved.' }),
    left_out: z
      .array(z.object({ id: z.string(), label: z.string().nullable(), code: z.string() }))
      .meta({ description: 'The other processes, with the code of the refusal. `gone`: there is no such process.' }),
    complete: z.boolean().meta({
      description: `False when more than ${MAX_TARGETS} processes match the filter.`,
    }),
  })
  .meta({ id: 'ProcessBulkActionPreview' });

const { reason, requested_by, preview_hash, status, created_at, ended_at } = rowJson(ProcessBulkAction).shape;
const bulkAction = {
  id: z.uuid(),
  action,
  reason,
  status,
  workflow_id: z.string().meta({ description: 'The process that carries it out.' }),
  requested_by,
  targets: z.int().meta({ description: 'Number of processes.' }),
  preview_hash,
  created_at,
  ended_at,
};

export const BulkActionPage = pageOf(z.object(bulkAction).meta({ id: 'ProcessBulkActionSummary' }));

const outcome = z.enum(TARGET_OUTCOMES);

const totals = Object.fromEntries(
  (['waiting', 'acting', ...TARGET_OUTCOMES] as const).map((name) => [name, z.int()]),
) as Record<'waiting' | 'acting' | TargetOutcome, z.ZodInt>;

export const BulkActionJson = z
  .object({
    ...bulkAction,
    totals: z.object(totals).meta({
      description:
        'Number of targets by outcome; they add up to `targets`. `waiting`: not begun, also after a stop. `acting`: begun, without an outcome yet.',
    }),
  })
  .meta({ id: 'ProcessBulkAction' });

export const TargetFilters = z.object({ ...pageQuery, outcome: outcome.optional() });

export const TargetPage = pageOf(
  z
    .object({
      id: z.string().meta({ description: 'Id of the process.' }),
      workflow_id: z.string(),
      kind: kind.nullable(),
      label: z.string().nullable().meta({ description: 'What the process is about. It contains no amounts.' }),
      outcome: outcome.nullable().meta({
        description:
          'What `retry/` or `cancel/` observed. `refused`: see `code`. `gone`: there is no such process. `unknown`: the worker died, or Temporal became unavailable, before the effect was observed. Null: none yet.',
      }),
      code: z.string().nullable().meta({ description: 'Code of the refusal.' }),
      claimed_at: moment.nullable().meta({ description: 'When the retry or the cancellation was requested.' }),
      finished_at: moment.nullable(),
    })
    .meta({ id: 'ProcessBulkActionTarget' }),
);
