import { link, moment, name, oneOf, platformKey, secret, text, times } from '../database/model/columns.js';
import { defineModel } from '../database/model/defineModel.js';
import { socialnetErrors } from './errors.js';

/** An account of the professional network that a person has linked. */
export class SocialAccount extends defineModel({
  table: 'social_accounts',
  columns: {
    ...platformKey,
    user_id: link().hidden(),
    provider: oneOf(['linkedin']),
    subject: text(255).hidden(),
    name: name(200).nullable(),
    email: text(254).nullable().meta({ description: 'The address at the network; it is not verified here.' }),
    access_token_encrypted: secret(),
    refresh_token_encrypted: secret().nullable(),
    token_expires_at: moment().nullable().hidden(),
    created_at: times.created_at,
    updated_at: times.updated_at.meta({ description: 'The time of the last linking.' }),
  },
  constraints: { social_accounts_provider_subject_unique: socialnetErrors.socialnet_account_taken },
}) {}
