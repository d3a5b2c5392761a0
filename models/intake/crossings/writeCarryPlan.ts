import { INTO_AUDIT_LOG } from '../../database/audit.js';
import { currentScope } from '../../database/connection.js';
import { currentOrganization, firstRow } from '../../database/rows.js';
import { FILL_PHONE_NUMBER } from '../../identity/fillPhoneNumber.js';
import { FILL_MEMBERSHIP, FILL_PROFILE } from '../../organizations/lifecycle/carryForward.js';
import { FILL_ETHNICITY } from '../../organizations/profiles/demographics.js';
import { CARRIED_FIELDS, type CarriedField } from '../vocabulary.js';
import type { CarryPlan } from './carryPlan.js';

interface CarryTarget {
  crossingId: string;
  userId: string;
  membershipId: string;
  /** Fields for which this crossing has already recorded whether they were copied. */
  decided: ReadonlySet<CarriedField>;
  /** True if no mail follows, so that this step completes the crossing. */
  isLast: boolean;
}

/**
 * One statement that writes the plan. It updates the user before the rows that belong to the user, which is the lock
 * order of all writers.
 */
const WRITE_CARRY_PLAN = `
  WITH given AS MATERIALIZED (
    SELECT * FROM jsonb_to_record($4) AS given (date_of_birth date, permanent_address_line1 text, phone_number text,
      ethnicity text, graduation_season text, graduation_year int, crossed_at timestamptz, gives_semester boolean)),
  account AS (${FILL_PHONE_NUMBER}), profile AS (${FILL_PROFILE}), demographics AS (${FILL_ETHNICITY}),
  membership AS (${FILL_MEMBERSHIP}),
  written AS (
    SELECT unnest(fields) AS field FROM (SELECT fields FROM account UNION ALL SELECT fields FROM profile
      UNION ALL SELECT fields FROM demographics UNION ALL SELECT fields FROM membership) each),
  fates AS MATERIALIZED (
    SELECT f.field, coalesce(f.fate, CASE WHEN w.field IS NULL THEN 'kept_member_value' ELSE 'copied' END) AS fate
      FROM jsonb_to_recordset($5) AS f (field text, fate text) LEFT JOIN written w USING (field)),
  recorded AS (
    INSERT INTO crossing_fields (organization_id, crossing_id, field, fate) SELECT $1, $6, field, fate FROM fates),
  logged AS (
    ${INTO_AUDIT_LOG}
    SELECT $1, 'crossing.carried', 'crossing', $6, $7, $8::inet, coalesce(jsonb_object_agg(field, fate), '{}'), NULL FROM fates),
  account_record AS (
    INSERT INTO account_provisioning_records (organization_id, membership_id)
    SELECT $1, m.id FROM memberships m JOIN account_provisioning_configs USING (organization_id)
     WHERE m.organization_id = $1 AND m.id = $3 AND app.gives_access(m.status)
    ON CONFLICT ON CONSTRAINT account_provisioning_records_one_a_membership DO NOTHING RETURNING id)
  UPDATE crossings SET carried_at = now(), cancelled_at = NULL, welcomed_at = CASE WHEN $9 THEN now() END
   WHERE organization_id = $1 AND id = $6 RETURNING (SELECT id FROM account_record) AS record_id`;

/**
 * Writes the planned values into the member's empty fields, records for each field whether it was copied, and marks the
 * crossing carried, in one statement.
 * @returns the id of the provisioning record of the office-suite account that is to be created; null if there is none
 */
export async function writeCarryPlan(plan: CarryPlan, target: CarryTarget): Promise<string | null> {
  const { crossingId, userId, membershipId, decided, isLast } = target;
  const undecided = CARRIED_FIELDS.filter((field) => !decided.has(field));
  const columns = Object.assign({}, ...undecided.map((field) => columnsOf(plan, field))) as Record<string, unknown>;
  const fates = undecided.map((field) => ({ field, fate: 'fate' in plan[field] ? plan[field].fate : null }));
  const { requestId, ipAddress } = currentScope().origin;
  const [ids, documents] = [
    [currentOrganization(), userId, membershipId],
    [JSON.stringify(columns), JSON.stringify(fates)],
  ];
  const values = [...ids, ...documents, crossingId, requestId, ipAddress, isLast];
  return (await firstRow<{ record_id: string | null }>(WRITE_CARRY_PLAN, values))?.record_id ?? null;
}

/** Returns the planned values of a field, keyed by the columns of the `given` record in the statement above. */
function columnsOf(plan: CarryPlan, field: CarriedField): Record<string, unknown> {
  if ('fate' in plan[field]) return {};
  const { value } = plan[field];
  switch (field) {
    case 'graduation': {
      const { season, year } = value as Extract<CarryPlan['graduation'], { value: unknown }>['value'];
      return { graduation_season: season, graduation_year: year };
    }
    case 'crossing_date':
      return { crossed_at: value };
    case 'crossing_semester':
      return { gives_semester: value };
    default:
      return { [field]: value };
  }
}
