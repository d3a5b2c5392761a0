/** Groups of operations, in display order. */
export const TAGS = [
  { name: 'auth', description: 'Sign-in, sessions, passwords, e-mail addresses, and the own account.' },
  { name: 'passkeys', description: 'Passkeys (WebAuthn): registering them and signing in with them.' },
  {
    name: 'sso',
    description: "Sign-in by an organization's identity provider, by OpenID Connect, OAuth 2 and SAML 2.",
  },
  { name: 'organizations', description: 'Organizations, regions, chapters, terms, members and who administers them.' },
  { name: 'finances', description: 'Dues, invoices, remittances, payments, credit and payment processors.' },
  { name: 'intake', description: 'Prospective members: how far each has come, and crossing.' },
  { name: 'notifications', description: 'What the caller is told, by which ways, and when.' },
  { name: 'processes', description: 'What runs on after a request: where it stands, trying again, cancelling.' },
  { name: 'socialnet', description: 'Linking an account of the professional network.' },
  { name: 'platform', description: 'For the administrators of the platform.' },
  { name: 'system', description: 'Whether the service is well, and this description.' },
  {
    name: 'well-known',
    description: 'What browsers and phones look for: apps and origins that belong to this service.',
  },
] as const;
