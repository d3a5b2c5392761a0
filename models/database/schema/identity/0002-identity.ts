import type { Migration } from '../../schemaFiles.js';

/** Creates people, their sessions, and their ways to sign in. */
export const up: Migration['up'] = ({ runFiles }) =>
  runFiles(__dirname, ['people', 'sessions', 'passkeys', 'social-accounts', 'identity-providers', 'saml']);

/** Keeps the extension, because it may have existed before. */
export const down: Migration['down'] = ({ run }) =>
  run(`
    DROP TABLE saml_certificate_warnings, saml_encryption_keys, saml_seen_messages, saml_configurations;
    DROP TABLE verified_domains, oidc_logout_tokens, sso_refusals, sso_codes, sso_flows, sso_identities,
      oauth_configurations, sso_connections;
    DROP TABLE social_link_flows, social_accounts;
    DROP TABLE passkey_enrollment_dismissals, webauthn_challenges, webauthn_credentials;
    DROP TABLE impersonations, session_cutoffs, refresh_tokens, sessions;
    DROP TABLE account_deletions, account_notices, security_events, password_resets, failure_budgets, user_emails, users;
  `);
