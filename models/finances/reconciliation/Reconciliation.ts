import { day, integer, link, moment, oneOf, stamps, tenantKeys, text } from '../../database/model/columns.js';
import { defineModel } from '../../database/model/defineModel.js';

/**
 * listing: movements are being read from the provider. comparing: they are being compared with the books. refused: the
 * provider rejects the key or cannot list movements.
 */
const STATUSES = ['listing', 'comparing', 'compared', 'refused'] as const;

/** A daily comparison of a provider account with the books, with its progress. */
export class Reconciliation extends defineModel({
  table: 'reconciliations',
  columns: {
    ...tenantKeys,
    processor_id: link(),
    day: day(),
    period_from: moment(),
    period_to: moment(),
    status: oneOf(STATUSES).default('listing'),
    cursor: text(500).nullable(),
    cases_opened: integer(0, 2_147_483_647).default(0),
    finished_at: moment().nullable(),
    created_at: stamps.created_at,
    updated_at: stamps.updated_at,
  },
}) {}
