import { DataTypes } from 'sequelize';
import { z } from 'zod';
import { column, integer, link, moment, oneOf, tenantKeys, times } from '../../database/model/columns.js';
import { defineModel } from '../../database/model/defineModel.js';
import { previewHash, text } from '../../fields.js';
import { RIGHT_LOST_DESCRIPTION, STOPPED_RIGHT_LOST } from '../../organizations/holdsRight.js';

export const BULK_ACTIONS = ['retry', 'cancel'] as const;
export type BulkActionName = (typeof BULK_ACTIONS)[number];

/** Maximum number of processes in one bulk action. */
export const MAX_TARGETS = 1_000;

/** A bulk action on processes that an administrator confirmed: each of its targets is retried or cancelled once. */
export class ProcessBulkAction extends defineModel({
  table: 'process_bulk_actions',
  columns: {
    ...tenantKeys,
    action: oneOf(BULK_ACTIONS),
    reason: column(DataTypes.TEXT, text(500).min(3), z.string()),
    requested_by: link().serverSet(),
    audiences: column(DataTypes.ARRAY(DataTypes.TEXT), z.array(z.enum(['organization', 'foundation', 'platform'])))
      .serverSet()
      .hidden(),
    targets_digest: column(DataTypes.TEXT, z.string()).serverSet().hidden(),
    preview_hash: column(DataTypes.TEXT, previewHash),
    targets_total: integer(1, MAX_TARGETS).serverSet(),
    status: oneOf(['running', 'stopping', 'done', 'stopped', STOPPED_RIGHT_LOST])
      .default('running')
      .serverSet()
      .meta({ description: `\`stopping\`: it ends before the next page of targets. ${RIGHT_LOST_DESCRIPTION}` }),
    ended_at: moment().nullable(),
    ...times,
  },
}) {}
