import type { Erasure } from '../identity/deletion/erasure.js';

export const platformErasure: Erasure = {
  kept: {
    'verified_domains.verified_by': 'Who of the platform verified it is for the platform to keep, by id.',
    'platform_alerts.created_by': 'Who of the platform said it is for the platform to keep, by id.',
  },
};
