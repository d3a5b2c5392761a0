import { z } from 'zod';
import { link, moment, stamps, tenantKeys } from '../../database/model/columns.js';
import { defineModel, derived } from '../../database/model/defineModel.js';
import { moment as momentJson } from '../../fields.js';
import { RECORD_STATUSES } from '../provisioning/vocabulary.js';
import { CARRIED_FIELDS, FATES } from '../vocabulary.js';

const CROSSING_STATUSES = ['carrying', 'welcoming', 'completed', 'cancelled', 'reverted'] as const;

/** Period after a crossing within which it can be reverted. */
const REVERT_WINDOW = "interval '7 days'";

const STATUS = `CASE WHEN crossings.reverted_at IS NOT NULL THEN 'reverted' WHEN crossings.welcomed_at IS NOT NULL THEN 'completed'
  WHEN crossings.cancelled_at IS NOT NULL THEN 'cancelled' WHEN crossings.carried_at IS NOT NULL THEN 'welcoming'
  ELSE 'carrying' END`;

const FIELDS = `(SELECT coalesce(json_agg(json_build_object('field', f.field, 'fate', f.fate) ORDER BY f.field), '[]')
  FROM crossing_fields f WHERE f.organization_id = crossings.organization_id AND f.crossing_id = crossings.id)`;

/**
 * A crossing: a prospective member becomes a member. A trigger inserts the row when the status changes
 * (`follow_prospects.sql`).
 */
export class Crossing extends defineModel({
  table: 'crossings',
  columns: {
    ...tenantKeys,
    membership_id: link().as('membership').serverSet(),
    profile_id: link().as('pnm').nullable().serverSet(),
    crossed_at: moment(),
    started_by: link().nullable().serverSet(),
    carried_at: moment().nullable(),
    welcomed_at: moment().nullable(),
    cancelled_at: moment().nullable(),
    reverted_at: moment().nullable(),
    reverted_by: link().nullable().serverSet(),
    created_at: stamps.created_at,
  },
  derived: {
    status: derived(z.enum(CROSSING_STATUSES), STATUS),
    fields: derived(
      z
        .array(z.object({ field: z.enum(CARRIED_FIELDS), fate: z.enum(FATES) }))
        .meta({ description: 'The outcome for each field; never its value.' }),
      FIELDS,
    ),
    account: derived(
      z
        .enum(RECORD_STATUSES)
        .nullable()
        .meta({ description: 'Status of the member’s office-suite account; null if none is created.' }),
      `(SELECT r.status FROM account_provisioning_records r
         WHERE r.organization_id = crossings.organization_id AND r.membership_id = crossings.membership_id)`,
    ),
    revertible_until: derived(
      momentJson.nullable(),
      `CASE WHEN crossings.reverted_at IS NULL THEN to_json(crossings.created_at + ${REVERT_WINDOW}) #>> '{}' END`,
    ),
    workflow_id: derived(z.string(), `'crossing/' || crossings.id`),
  },
}) {}
