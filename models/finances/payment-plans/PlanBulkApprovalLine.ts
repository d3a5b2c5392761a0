import { integer, link, oneOf, stamps, tenantKeys } from '../../database/model/columns.js';
import { defineModel } from '../../database/model/defineModel.js';

/** Why a request is not granted in one go with others. */
export const SKIPPED = ['own_request', 'plan_already_active', 'balance_changed', 'schedule_past', 'decided'] as const;

/** A request of those that are granted in one go, and what became of it; null: nobody has come to it yet. */
export class PlanBulkApprovalLine extends defineModel({
  table: 'plan_bulk_approval_lines',
  columns: {
    ...tenantKeys,
    approval_id: link(),
    request_id: link(),
    sequence: integer(1, 2_147_483_647),
    result: oneOf(['approved', ...SKIPPED]).nullable(),
    created_at: stamps.created_at,
    updated_at: stamps.updated_at,
  },
}) {}
