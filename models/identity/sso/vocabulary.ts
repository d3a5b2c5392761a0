/** Words of connections to identity providers. */
export const OAUTH_PROVIDERS = ['workspace', 'cloud_office', 'generic'] as const;
export type OAuthProvider = (typeof OAUTH_PROVIDERS)[number];

/** What somebody becomes whom a sign-in creates an account for. */
export const PROVISION_STATUSES = ['undergrad', 'associate', 'alumni', 'active_alumni'] as const;
export type ProvisionStatus = (typeof PROVISION_STATUSES)[number];
