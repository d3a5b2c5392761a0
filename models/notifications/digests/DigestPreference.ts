import { link, oneOf, tenantKeys, times } from '../../database/model/columns.js';
import { defineModel } from '../../database/model/defineModel.js';

export const FREQUENCIES = ['daily', 'weekly'] as const;
export type Frequency = (typeof FREQUENCIES)[number];

/**
 * How often a person wants a digest (spec: Notifications). If the frequency is null or there is no row, they get none.
 */
export class DigestPreference extends defineModel({
  table: 'digest_preferences',
  columns: {
    id: tenantKeys.id.hidden(),
    organization_id: tenantKeys.organization_id,
    user_id: link().serverSet().hidden(),
    frequency: oneOf(FREQUENCIES).nullable(),
    created_at: times.created_at.hidden(),
    updated_at: times.updated_at.hidden(),
  },
}) {}
