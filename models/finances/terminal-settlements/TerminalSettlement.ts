import { link, moment, oneOf, stamps, tenantKeys } from '../../database/model/columns.js';
import { defineModel } from '../../database/model/defineModel.js';

const STATUSES = ['waiting', 'refunding', 'refunded', 'kept', 'cancelled'] as const;

/**
 * The refund of a former member's remaining credit after the membership has ended (spec: States, any membership
 * status).
 */
export class TerminalSettlement extends defineModel({
  table: 'terminal_settlements',
  columns: {
    ...tenantKeys,
    chapter_id: link(),
    membership_id: link(),
    status: oneOf(STATUSES).default('waiting'),
    refunds_at: moment(),
    requested_by: link().nullable(),
    finished_at: moment().nullable(),
    created_at: stamps.created_at,
    updated_at: stamps.updated_at,
  },
}) {}
