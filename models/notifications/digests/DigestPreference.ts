import { link, oneOf, tenantKeys, times } from '../../database/model/columns.js';
import { defineModel } from '../../database/model/defineModel.js';

export const FREQUENCIES = ['daily', 'weekly'] as const;
export type Frequency = (typeof FREQUENCIES)[number];

/** The digest frequency of a person (spec: Notifications). Null means no digests, as does a missing row. */
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
