/**
 * Vocabulary of accounts at an organization's office suite (spec: AccountProvisioningConfig,
 * AccountProvisioningRecord).
 */

export const PROVIDERS = ['workspace_suite', 'cloud_office'] as const;
export type Provider = (typeof PROVIDERS)[number];

/** What happens to an account when its member loses access. */
export const ON_LEAVE = ['keep', 'suspend'] as const;

export const RECORD_STATUSES = ['pending', 'creating', 'active', 'failed', 'needs_attention', 'suspended'] as const;

/** Reasons why an account is not in the wanted state (active or suspended). They contain no personal data. */
export const PROBLEMS = [
  'credentials_refused',
  'not_configured',
  'other_provider',
  'no_address_left',
  'never_visible',
  'account_missing',
  'group_missing',
  'refused',
  'cancelled',
  'erased',
] as const;
export type Problem = (typeof PROBLEMS)[number];
