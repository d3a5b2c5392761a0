/** Vocabulary of the intake, shared by rows, operations and schemas. */

export const PNM_STAGES = ['not_started', 'approved', 'in_progress', 'completed', 'rejected', 'withdrawn'] as const;
export type PnmStage = (typeof PNM_STAGES)[number];

/** Fields that a crossing copies to the member. The season and year of graduation count as one field. */
export const CARRIED_FIELDS = [
  'date_of_birth',
  'graduation',
  'phone_number',
  'permanent_address_line1',
  'crossing_date',
  'crossing_semester',
  'ethnicity',
] as const;
export type CarriedField = (typeof CARRIED_FIELDS)[number];

/**
 * What a crossing did with a field. `awaits_account`: the person has no account yet in which the value could be stored.
 */
export const FATES = [
  'copied',
  'kept_member_value',
  'source_empty',
  'season_not_recognised',
  'too_long',
  'out_of_range',
  'awaits_account',
] as const;
export type Fate = (typeof FATES)[number];

export const LETTER_STATUSES = ['requested', 'submitted', 'declined', 'expired', 'cancelled', 'undeliverable'] as const;
export type LetterStatus = (typeof LETTER_STATUSES)[number];
