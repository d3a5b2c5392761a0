import { DataTypes } from 'sequelize';
import { z } from 'zod';
import {
  cents,
  column,
  day,
  integer,
  link,
  moment,
  oneOf,
  stamps,
  tenantKeys,
  yesOrNo,
} from '../../database/model/columns.js';
import { defineModel, derived } from '../../database/model/defineModel.js';
import { previewHash } from '../../fields.js';
import { RIGHT_LOST_DESCRIPTION } from '../../organizations/holdsRight.js';
import { financesErrors } from '../errors.js';

export const RUN_STATUSES = ['running', 'completed', 'failed', 'cancelled', 'stopped_right_lost'] as const;
export type RunStatus = (typeof RUN_STATUSES)[number];

const MAX_INTEGER = 2_147_483_647;
const counter = () => integer(0, MAX_INTEGER).default(0);

/** A confirmed dues run of a term, with its progress. */
export class DuesRun extends defineModel({
  table: 'dues_runs',
  columns: {
    ...tenantKeys,
    term_id: link().as('term'),
    due_date: day(),
    preview_hash: column(DataTypes.TEXT, previewHash),
    notify: yesOrNo().default(true).meta({ description: 'Whether payers are notified of their new invoices.' }),
    status: oneOf(RUN_STATUSES).default('running').meta({ description: RIGHT_LOST_DESCRIPTION }),
    chapters_total: counter(),
    chapters_done: counter(),
    invoices_planned: counter(),
    invoices_issued: counter().meta({
      description:
        'May end below the plan: those payers were billed otherwise in the meantime, or their accounts were deleted.',
    }),
    planned_cents: cents(0).default(0),
    issued_cents: cents(0).default(0),
    started_by: link().nullable(),
    completed_at: moment().nullable(),
    created_at: stamps.created_at,
    updated_at: stamps.updated_at.hidden(),
  },
  derived: {
    term_name: derived(z.string(), '(SELECT name FROM terms WHERE id = dues_runs.term_id)'),
    chapters_not_done: derived(
      z.array(z.uuid()).meta({
        description: 'The chapters that a run which ended early did not bill; at most the first 1,000.',
      }),
      `CASE WHEN dues_runs.status IN ('cancelled', 'stopped_right_lost') THEN ARRAY(
         SELECT DISTINCT i.chapter_id FROM dues_run_items i
          WHERE i.organization_id = dues_runs.organization_id AND i.dues_run_id = dues_runs.id
          ORDER BY i.chapter_id OFFSET dues_runs.chapters_done LIMIT 1000) ELSE '{}' END`,
    ),
    workflow_id: derived(z.string(), `'dues-run/' || dues_runs.id`),
  },
  constraints: { dues_runs_one_running: financesErrors.dues_run_in_progress },
}) {}
