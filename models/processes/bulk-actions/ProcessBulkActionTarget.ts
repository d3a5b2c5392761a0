import { DataTypes } from 'sequelize';
import { z } from 'zod';
import { column, integer, link, moment, oneOf, tenantKeys, times } from '../../database/model/columns.js';
import { defineModel } from '../../database/model/defineModel.js';
import { MAX_TARGETS } from './ProcessBulkAction.js';

/** Outcomes of a target: those of a single retry or cancellation, or the reason why it was not attempted. */
export const TARGET_OUTCOMES = [
  'completed',
  'progressed',
  'attempted_and_failed',
  'attempting',
  'not_attempted_yet',
  'cancelled',
  'cancelling',
  'unknown',
  'refused',
  'gone',
] as const;
export type TargetOutcome = (typeof TARGET_OUTCOMES)[number];

/** One process of a bulk action. Its outcome is null until it is known. */
export class ProcessBulkActionTarget extends defineModel({
  table: 'process_bulk_action_targets',
  columns: {
    ...tenantKeys,
    bulk_action_id: link(),
    sequence: integer(1, MAX_TARGETS),
    workflow_id: column(DataTypes.TEXT, z.string()),
    claimed_at: moment().nullable(),
    outcome: oneOf(TARGET_OUTCOMES).nullable(),
    refusal_code: column(DataTypes.TEXT, z.string()).nullable(),
    finished_at: moment().nullable(),
    ...times,
  },
}) {}
