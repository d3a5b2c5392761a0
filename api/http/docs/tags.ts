/** Groups of operations, in display order. */
export const TAGS = [
  { name: 'auth', description: 'Sign-in, sessions, passwords, e-mail addresses, and the own account.' },
  { name: 'passkeys', description: 'Passkeys (WebAuthn): registering them and signing in with them.' },
  {
    name: 'sso',
    description: "Sign-in by an organization's identity provider, by OpenID Connect, OAuth 2 and SAML 2.",
  },
  { name: 'organizations', description: 'Organizations, regions, chapters, terms, members and administrators.' },
  { name: 'forums', description: 'Forums of the organization, their members, posts and comments.' },
  { name: 'finances', description: 'Dues, invoices, remittances, payments, credit and payment processors.' },
  {
    name: 'foundation',
    description: 'Fundraising: settings and people of the foundation, funds, campaigns, gifts and receipts.',
  },
  { name: 'intake', description: 'Prospective members: their progress, and crossing.' },
  { name: 'notifications', description: 'Notifications of the caller, their channels and their schedule.' },
  {
    name: 'processes',
    description: 'Processes that continue after a request: their status, retrying and cancelling them.',
  },
  { name: 'socialnet', description: 'Linking an account of the professional network.' },
  { name: 'platform', description: 'For the administrators of the platform.' },
  { name: 'system', description: 'Health of the service, and this document.' },
  {
    name: 'well-known',
    description: 'Files that browsers and phones look for: apps and origins that belong to this service.',
  },
] as const;
