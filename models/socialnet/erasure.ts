import type { Erasure } from '../identity/deletion/erasure.js';

export const socialnetErasure: Erasure = {
  deletedTables: { social_accounts: 'user_id', social_link_flows: 'user_id' },
};
