import { link, moment, name, platformKey, secret, text, times, yesOrNo } from '../database/model/columns.js';
import { defineModel } from '../database/model/defineModel.js';
import { emailErrors } from './emails/errors.js';

/** A person: an account, or the placeholder that an organization creates for a person whom it has invited. */
export class User extends defineModel({
  table: 'users',
  columns: {
    ...platformKey,
    email: text(254).nullable(),
    password_hash: secret().nullable(),
    must_change_password: yesOrNo().default(false).serverSet(),
    password_given_in: link().nullable().serverSet().hidden(),
    password_given_at: moment().nullable().hidden(),
    password_ends_at: moment().nullable().hidden(),
    first_name: name(100),
    last_name: name(100),
    phone_number: text(40).nullable(),
    is_platform_admin: yesOrNo().default(false).serverSet(),
    disabled_at: moment().nullable(),
    last_organization_id: link().nullable().serverSet().hidden(),
    placeholder_in: link().nullable().serverSet().hidden(),
    typed_email: text(254).nullable().serverSet().hidden(),
    ...times,
  },
  triggers: {
    users_given_accounts: ['social_accounts', 'social_link_flows'],
    users_given_credentials: [
      'account_deletions',
      'account_notices',
      'security_events',
      'starts sendAccountNotice',
      'webauthn_challenges',
      'webauthn_credentials',
    ],
    users_given_password: [
      'account_notices',
      'password_resets',
      'security_events',
      'sessions',
      'starts sendAccountNotice',
      'users',
    ],
    users_linked_addresses: [
      'account_deletions',
      'account_notices',
      'password_resets',
      'security_events',
      'sessions',
      'sso_codes',
      'sso_identities',
      'starts sendAccountNotice',
      'user_emails',
      'users',
      'webauthn_challenges',
      'webauthn_credentials',
    ],
    users_recheck_sockets: ['NOTIFY announcements'],
    users_roster_names: ['roster_names'],
    users_unproven_addresses: ['user_emails'],
  },
  constraints: { users_email_unique: emailErrors.email_taken },
}) {}
