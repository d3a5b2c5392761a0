/**
 * Decides for each field what is copied from the intake profile when a prospective member becomes a member (a
 * crossing). The preview and the crossing use the same rules.
 */
import { CARRIED_FIELDS, type CarriedField, type Fate } from '../vocabulary.js';
import { type Answers, type Graduation, type Source, sourcesOf } from './sources.js';

interface Values extends Record<CarriedField, unknown> {
  date_of_birth: string;
  graduation: Graduation;
  phone_number: string;
  permanent_address_line1: string;
  ethnicity: string;
  crossing_date: Date;
  /**
   * Always `true`, because no semester is copied: it is derived from the crossing date in the member's record, which
   * may be older than this crossing.
   */
  crossing_semester: true;
}

/**
 * The plan for one field: the value to write if the member's field is empty, or, if there is no value, the reason to
 * record (the fate).
 */
type PlannedField<Value> = { value: Value } | { fate: Fate };
export type CarryPlan = { [Field in CarriedField]: PlannedField<Values[Field]> };

/** Fields that are stored with the account. A person who has not accepted their invitation has no account. */
const ACCOUNT_FIELDS: ReadonlySet<CarriedField> = new Set(['phone_number', 'ethnicity']);

export interface Receiver {
  hasAccount: boolean;
  /**
   * Fields that this crossing, or an earlier one of the same person, has already copied. They are not copied again,
   * even if the member has cleared them since.
   */
  copied: ReadonlySet<CarriedField>;
}

/**
 * Plans for each field which value is copied, or why none is.
 * @param answers null if the member has no intake profile
 */
export function planCarry(answers: Answers | null, crossedAt: Date, { hasAccount, copied }: Receiver): CarryPlan {
  const sources: { [Field in CarriedField]: Source<Values[Field]> } = {
    ...sourcesOf(answers),
    crossing_date: { value: crossedAt },
    crossing_semester: { value: true },
  };
  const planField = (field: CarriedField): PlannedField<unknown> => {
    if ('fate' in sources[field]) return sources[field];
    if (copied.has(field)) return { fate: 'kept_member_value' };
    return ACCOUNT_FIELDS.has(field) && !hasAccount ? { fate: 'awaits_account' } : sources[field];
  };
  return Object.fromEntries(CARRIED_FIELDS.map((field) => [field, planField(field)])) as CarryPlan;
}
