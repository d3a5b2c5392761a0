import { link, moment, platformKey, secret, text, times, yesOrNo } from '../../database/model/columns.js';
import { defineModel } from '../../database/model/defineModel.js';
import { emailErrors } from './errors.js';

/** An address of a person, verified or not. The primary address may have no row. */
export class UserEmail extends defineModel({
  table: 'user_emails',
  columns: {
    ...platformKey,
    user_id: link().serverSet(),
    email: text(254),
    is_verified: yesOrNo().default(false).serverSet(),
    verification_token_hash: secret().nullable(),
    verification_sent_at: moment().nullable(),
    // The organization whose admin linked the address. The address is unlinked when the person gains access to another
    // organization.
    linked_in: link().nullable(),
    linked_at: moment().nullable(),
    ...times,
  },
  constraints: {
    user_emails_verified_unique: emailErrors.email_taken,
    user_emails_user_email_unique: emailErrors.email_exists,
  },
}) {}
