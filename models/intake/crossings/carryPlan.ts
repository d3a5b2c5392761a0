/** Decides, field by field, what a crossing copies. The preview and the crossing use the same rules. */
import { CARRIED_FIELDS, type CarriedField, type Fate } from '../vocabulary.js';
import { type Answers, type Graduation, type Source, sourcesOf } from './sources.js';

interface Values extends Record<CarriedField, unknown> {
  date_of_birth: string;
  graduation: Graduation;
  phone_number: string;
  permanent_address_line1: string;
  ethnicity: string;
  crossing_date: Date;
  /** Derived from the crossing date on record, which may be older than this crossing. */
  crossing_semester: true;
}

/** A value to write where the field is empty, or the fate of a field without a value. */
type PlannedField<Value> = { value: Value } | { fate: Fate };
export type CarryPlan = { [Field in CarriedField]: PlannedField<Values[Field]> };

/** Fields of the account, which a person who has not accepted the invitation does not have. */
const ACCOUNT_FIELDS: ReadonlySet<CarriedField> = new Set(['phone_number', 'ethnicity']);

export interface Receiver {
  hasAccount: boolean;
  /**
   * Fields that any crossing of the person has copied. They are never copied again, even if the member has cleared them
   * since.
   */
  copied: ReadonlySet<CarriedField>;
}

/**
 * Plans the outcome for each field.
 * @param answers null if there is no profile
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
