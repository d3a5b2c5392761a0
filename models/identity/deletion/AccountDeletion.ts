import { link, moment, oneOf, platformKey, times } from '../../database/model/columns.js';
import { defineModel } from '../../database/model/defineModel.js';

/** A person's request to delete their account, and its status. */
export class AccountDeletion extends defineModel({
  table: 'account_deletions',
  columns: {
    ...platformKey,
    user_id: link(),
    status: oneOf(['requested', 'erasing', 'erased', 'cancelled', 'refused']).default('requested'),
    erases_at: moment(),
    closed_at: moment().nullable(),
    ...times,
  },
}) {}
