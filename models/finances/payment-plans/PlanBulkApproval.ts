import { DataTypes } from 'sequelize';
import { column, integer, link, moment, oneOf, stamps, tenantKeys } from '../../database/model/columns.js';
import { defineModel } from '../../database/model/defineModel.js';
import { previewHash } from '../../fields.js';

export const BULK_STATUSES = ['approving', 'approved', 'cancelled', 'stopped_right_lost'] as const;

const MAX_INTEGER = 2_147_483_647;

/** A confirmed bulk approval of plan requests, with its progress. */
export class PlanBulkApproval extends defineModel({
  table: 'plan_bulk_approvals',
  columns: {
    ...tenantKeys,
    requested_by: link(),
    preview_hash: column(DataTypes.TEXT, previewHash),
    status: oneOf(BULK_STATUSES).default('approving'),
    lines_total: integer(0, MAX_INTEGER).default(0),
    lines_done: integer(0, MAX_INTEGER).default(0),
    ended_at: moment().nullable(),
    created_at: stamps.created_at,
    updated_at: stamps.updated_at,
  },
}) {}
