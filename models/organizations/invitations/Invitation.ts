import { link, moment, oneOf, secret, tenantKeys, times } from '../../database/model/columns.js';
import { defineModel } from '../../database/model/defineModel.js';

/** Somebody who has no account here is asked to take a membership or an office, which waits for the answer. */
export class Invitation extends defineModel({
  table: 'invitations',
  columns: {
    ...tenantKeys,
    // The placeholder.
    user_id: link(),
    membership_id: link().nullable(),
    organization_admin_id: link().nullable(),
    regional_admin_id: link().nullable(),
    state: oneOf(['open', 'accepted', 'declined', 'withdrawn']).default('open'),
    token_hash: secret().nullable(),
    // Null: the address had its mail of the day already.
    mailed_at: moment().nullable(),
    expires_at: moment(),
    invited_by: link().nullable(),
    closed_at: moment().nullable(),
    ...times,
  },
}) {}
