/** Vocabulary of application forms. */

export const QUESTION_TYPES = ['short', 'long', 'single', 'multiple', 'number', 'date', 'yes_no'] as const;

export const ATTACHMENT_KINDS = ['resume', 'headshot', 'transcript', 'cover_letter'] as const;
export type AttachmentKind = (typeof ATTACHMENT_KINDS)[number];

/** Fields of every intake profile; a form can add its own questions. */
export const STANDARD_FIELDS = [
  'birth_date',
  'expected_graduation_semester',
  'expected_graduation_year',
  'phone_number',
  'permanent_address',
  'ethnicity',
  'place_of_birth',
  'gpa',
  'year_in_college',
  'organizations_memberships',
  'honors_achievements',
  'other_activities',
  'community_involvement',
  'emergency_contact_name',
  'emergency_contact_phone',
  'degree_type',
] as const;
export type StandardField = (typeof STANDARD_FIELDS)[number];

/** Events for which an organization can configure the recipients. */
export const ROUTED_EVENTS = ['application_received', 'application_replaced', 'application_withdrawn'] as const;
export const ROUTED_ROLES = ['officers', 'regional_admins', 'organization_admins'] as const;
