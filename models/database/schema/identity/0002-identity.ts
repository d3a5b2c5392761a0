import type { Migration } from '../../schemaFiles.js';

/** Creates people, their sessions, and their ways to sign in. */
export const up: Migration['up'] = ({ runFiles }) =>
  runFiles(__dirname, ['people', 'sessions', 'passkeys', 'identity-providers', 'saml']);

/** Reverts the migration, but keeps the extension, because it may have existed before. */
export const down: Migration['down'] = ({ run }) =>
  run(`
    DROP TABLE
      saml_certificate_warnings, saml_encryption_keys, saml_seen_messages, saml_configurations, oidc_logout_tokens,
      sso_refusals, sso_codes, sso_flows, sso_identities, oauth_configurations, sso_connections,
      passkey_enrollment_dismissals, webauthn_challenges, webauthn_credentials, impersonations, session_cutoffs,
      refresh_tokens, sessions, account_deletions, account_notices, security_events, password_resets,
      failure_budgets, user_emails, users CASCADE;
  `);
