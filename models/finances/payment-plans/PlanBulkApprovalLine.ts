import { integer, link, oneOf, stamps, tenantKeys } from '../../database/model/columns.js';
import { defineModel } from '../../database/model/defineModel.js';

/** Reasons why a bulk approval skips a request. */
export const SKIP_REASONS = [
  'own_request',
  'plan_already_active',
  'balance_changed',
  'schedule_past',
  'decided',
] as const;

/** One request of a bulk approval. Its result is null until the request is processed. */
export class PlanBulkApprovalLine extends defineModel({
  table: 'plan_bulk_approval_lines',
  columns: {
    ...tenantKeys,
    approval_id: link(),
    request_id: link(),
    sequence: integer(1, 2_147_483_647),
    result: oneOf(['approved', ...SKIP_REASONS]).nullable(),
    created_at: stamps.created_at,
    updated_at: stamps.updated_at,
  },
}) {}
