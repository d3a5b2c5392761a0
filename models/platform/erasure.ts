import type { Erasure } from '../identity/deletion/erasure.js';

export const platformErasure: Erasure = {
  retainedColumns: {
    'verified_domains.verified_by': 'The platform keeps the id of the admin who verified the domain.',
    'platform_alerts.created_by': 'The platform keeps the id of the admin who wrote the alert.',
  },
};
