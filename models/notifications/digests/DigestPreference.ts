import { link, oneOf, tenantKeys, times } from '../../database/model/columns.js';
import { defineModel } from '../../database/model/defineModel.js';

export const FREQUENCIES = ['daily', 'weekly'] as const;
export type Frequency = (typeof FREQUENCIES)[number];

/** How often somebody wants a digest (spec: Notifications); null: not at all, as without a row. */
export class DigestPreference extends defineModel({
  table: 'digest_preferences',
  columns: {
    id: tenantKeys.id.hidden(),
    organization_id: tenantKeys.organization_id,
    user_id: link().kept().hidden(),
    frequency: oneOf(FREQUENCIES).nullable(),
    created_at: times.created_at.hidden(),
    updated_at: times.updated_at.hidden(),
  },
}) {}
