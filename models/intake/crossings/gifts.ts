/** What is there for whoever crosses, field by field: judged alike by the preview and by the crossing. */
import { CARRIED_FIELDS, type CarriedField, type Fate } from '../vocabulary.js';
import { type Answers, type Graduation, type Source, sourcesOf } from './sources.js';

interface Values extends Record<CarriedField, unknown> {
  date_of_birth: string;
  graduation: Graduation;
  phone_number: string;
  permanent_address_line1: string;
  ethnicity: string;
  crossing_date: Date;
  /** After the date that stands then, which may be older than this crossing. */
  crossing_semester: true;
}

/** A value to give where nothing stands, or what becomes of the field without. */
type Gift<Value> = { value: Value } | { fate: Fate };
export type Gifts = { [Field in CarriedField]: Gift<Values[Field]> };

/** Belongs to the account, which whoever has not accepted does not have. */
const OF_ACCOUNTS: ReadonlySet<CarriedField> = new Set(['phone_number', 'ethnicity']);

export interface Receiver {
  hasAccount: boolean;
  /** What any crossing of theirs has ever copied: it is never copied again, though the member has cleared it since. */
  copied: ReadonlySet<CarriedField>;
}

/** @param answers null: there is no profile, and nothing of it to carry */
export function giftsOf(answers: Answers | null, crossedAt: Date, { hasAccount, copied }: Receiver): Gifts {
  const sources: { [Field in CarriedField]: Source<Values[Field]> } = {
    ...sourcesOf(answers),
    crossing_date: { value: crossedAt },
    crossing_semester: { value: true },
  };
  const gift = (field: CarriedField): Gift<unknown> => {
    if ('fate' in sources[field]) return sources[field];
    if (copied.has(field)) return { fate: 'kept_member_value' };
    return OF_ACCOUNTS.has(field) && !hasAccount ? { fate: 'awaits_account' } : sources[field];
  };
  return Object.fromEntries(CARRIED_FIELDS.map((field) => [field, gift(field)])) as Gifts;
}
