import { z } from 'zod';
import { link, moment, stamps, tenantKeys } from '../../database/model/columns.js';
import { defineModel, derived } from '../../database/model/defineModel.js';
import { moment as momentJson } from '../../fields.js';
import { RECORD_STATUSES } from '../provisioning/vocabulary.js';
import { CARRIED_FIELDS, FATES } from '../vocabulary.js';

const CROSSING_STATUSES = ['carrying', 'welcoming', 'completed', 'cancelled', 'reverted'] as const;

/** After which it is too late to take one back. */
const REVERTIBLE = "interval '7 days'";

const STATUS = `CASE WHEN crossings.reverted_at IS NOT NULL THEN 'reverted' WHEN crossings.welcomed_at IS NOT NULL THEN 'completed'
  WHEN crossings.cancelled_at IS NOT NULL THEN 'cancelled' WHEN crossings.carried_at IS NOT NULL THEN 'welcoming'
  ELSE 'carrying' END`;

const FIELDS = `(SELECT coalesce(json_agg(json_build_object('field', f.field, 'fate', f.fate) ORDER BY f.field), '[]')
  FROM crossing_fields f WHERE f.organization_id = crossings.organization_id AND f.crossing_id = crossings.id)`;

/** A prospective member became a member; made by a trigger with the change of status (`follow_prospects.sql`). */
export class Crossing extends defineModel({
  table: 'crossings',
  columns: {
    ...tenantKeys,
    membership_id: link().as('membership').kept(),
    profile_id: link().as('pnm').nullable().kept(),
    crossed_at: moment(),
    started_by: link().nullable().kept(),
    carried_at: moment().nullable(),
    welcomed_at: moment().nullable(),
    cancelled_at: moment().nullable(),
    reverted_at: moment().nullable(),
    reverted_by: link().nullable().kept(),
    created_at: stamps.created_at,
  },
  derived: {
    status: derived(z.enum(CROSSING_STATUSES), STATUS),
    fields: derived(
      z
        .array(z.object({ field: z.enum(CARRIED_FIELDS), fate: z.enum(FATES) }))
        .meta({ description: 'What became of each; never a value.' }),
      FIELDS,
    ),
    account: derived(
      z
        .enum(RECORD_STATUSES)
        .nullable()
        .meta({ description: 'Of the member at the office suite; null: none is made.' }),
      `(SELECT r.status FROM account_provisioning_records r
         WHERE r.organization_id = crossings.organization_id AND r.membership_id = crossings.membership_id)`,
    ),
    revertible_until: derived(
      momentJson.nullable(),
      `CASE WHEN crossings.reverted_at IS NULL THEN to_json(crossings.created_at + ${REVERTIBLE}) #>> '{}' END`,
    ),
    workflow_id: derived(z.string(), `'crossing/' || crossings.id`),
  },
}) {}
