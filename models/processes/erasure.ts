import type { Erasure } from '../identity/deletion/erasure.js';

export const processesErasure: Erasure = {
  retainedColumns: {
    'process_bulk_actions.requested_by':
      'The organization keeps the id of the admin who retried or cancelled processes.',
  },
};
