import { link, moment, platformKey, secret, text, times, yesOrNo } from '../../database/model/columns.js';
import { defineModel } from '../../database/model/defineModel.js';
import { emailErrors } from './errors.js';

/** An address of a person, proven or not yet. The primary one may be without a row. */
export class UserEmail extends defineModel({
  table: 'user_emails',
  columns: {
    ...platformKey,
    user_id: link().kept(),
    email: text(254),
    is_verified: yesOrNo().default(false).kept(),
    verification_token_hash: secret().nullable(),
    verification_sent_at: moment().nullable(),
    // The organization whose admin linked it; it falls when another takes the person in.
    linked_in: link().nullable(),
    linked_at: moment().nullable(),
    ...times,
  },
  constraints: {
    user_emails_verified_unique: emailErrors.email_taken,
    user_emails_user_email_unique: emailErrors.email_exists,
  },
}) {}
