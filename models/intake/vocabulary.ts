/** Vocabulary of the intake, shared by rows, operations and schemas. */

export const PNM_STAGES = ['not_started', 'approved', 'in_progress', 'completed', 'rejected', 'withdrawn'] as const;
export type PnmStage = (typeof PNM_STAGES)[number];

/**
 * Fields that are copied to the member's record when a prospective member becomes a member (a crossing). The season and
 * year of graduation count as one field.
 */
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
 * The outcome for a field when the prospective member became a member (a crossing). `awaits_account`: the value can be
 * stored only in an account, which the person does not have yet.
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
