/** Constants of connections to identity providers. */
export const OAUTH_PROVIDERS = ['workspace', 'cloud_office', 'generic'] as const;
export type OAuthProvider = (typeof OAUTH_PROVIDERS)[number];

/** Membership statuses for members whose accounts a sign-in creates. */
export const PROVISION_STATUSES = ['undergrad', 'associate', 'alumni', 'active_alumni'] as const;
export type ProvisionStatus = (typeof PROVISION_STATUSES)[number];
