import { link, moment, oneOf, secret, tenantKeys, times } from '../../database/model/columns.js';
import { defineModel } from '../../database/model/defineModel.js';

/** An invitation of a person without an account here to a membership or an office, which starts when they accept. */
export class Invitation extends defineModel({
  table: 'invitations',
  columns: {
    ...tenantKeys,
    // The placeholder that stands for the invited person until they accept.
    user_id: link(),
    membership_id: link().nullable(),
    organization_admin_id: link().nullable(),
    regional_admin_id: link().nullable(),
    state: oneOf(['open', 'accepted', 'declined', 'withdrawn']).default('open'),
    token_hash: secret().nullable(),
    // Time of the invitation mail. Null: none was sent, because the address had already received its one mail of the
    // day.
    mailed_at: moment().nullable(),
    expires_at: moment(),
    invited_by: link().nullable(),
    closed_at: moment().nullable(),
    ...times,
  },
}) {}
