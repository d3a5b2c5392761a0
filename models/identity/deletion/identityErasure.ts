import type { Erasure } from './erasure.js';

const SEEN = 'Who looked through whose eyes is an organization’s to keep, by id.';

/** The account itself: `erasePerson` empties what is not deleted. */
export const identityErasure: Erasure = {
  deleted: {
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
  emptied: {
    users: ['email', 'first_name', 'last_name', 'phone_number', 'password_hash'],
    sessions: ['user_agent', 'ip_address', 'provider_name_id', 'provider_name_attributes', 'provider_session'],
  },
  kept: {
    'users.typed_email': 'Of somebody who was invited and has no account; an account has none.',
    'sessions.user_id': 'Ended, without address and device: other rows refer to them.',
    'refresh_tokens.session_id': 'Of sessions that have ended.',
    'account_deletions.user_id': 'Says that the account was erased, and when.',
    'impersonations.user_id': SEEN,
    'impersonations.actor_id': SEEN,
    'impersonations.membership_id': SEEN,
    'impersonations.session_id': SEEN,
    'impersonations.actor_session_id': SEEN,
  },
};
