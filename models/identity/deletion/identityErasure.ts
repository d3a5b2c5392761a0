import type { Erasure } from './erasure.js';

const IMPERSONATION_RECORD = 'The organization keeps the record of impersonations, by id.';

/** Erasure rules for the account itself. The columns listed here are erased by `erasePerson`. */
export const identityErasure: Erasure = {
  deletedTables: {
    user_emails: 'user_id',
    password_resets: 'user_id',
    webauthn_credentials: 'user_id',
    webauthn_challenges: 'user_id',
    passkey_enrollment_dismissals: 'user_id',
    sso_identities: 'user_id',
    sso_codes: 'user_id',
    session_cutoffs: 'user_id',
    security_events: 'user_id',
    account_notices: 'user_id',
  },
  erasedColumns: {
    users: ['email', 'first_name', 'last_name', 'phone_number', 'password_hash'],
    sessions: ['user_agent', 'ip_address', 'provider_name_id', 'provider_name_attributes', 'provider_session'],
  },
  retainedColumns: {
    'users.typed_email': 'Set only for placeholders; an account has no typed address.',
    'sessions.user_id': 'The session has ended, without address and device; other rows refer to it.',
    'refresh_tokens.session_id': 'Belongs to a session that has ended.',
    'account_deletions.user_id': 'Records that the account was erased, and when.',
    'platform_audit_log.actor_user_id': 'The platform keeps which admin changed what, by id.',
    'impersonations.user_id': IMPERSONATION_RECORD,
    'impersonations.actor_id': IMPERSONATION_RECORD,
    'impersonations.membership_id': IMPERSONATION_RECORD,
    'impersonations.session_id': IMPERSONATION_RECORD,
    'impersonations.actor_session_id': IMPERSONATION_RECORD,
  },
};
