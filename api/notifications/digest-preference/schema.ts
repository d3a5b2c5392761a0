import { z } from 'zod';
import { rowJson } from '../../../models/database/model/schemas.js';
import { DigestPreference, FREQUENCIES } from '../../../models/notifications/digests/DigestPreference.js';

export const DigestPreferenceJson = rowJson(DigestPreference);

/** PUT replaces the preference, so its only field is required. */
export const DigestPreferencePut = z
  .object({ frequency: z.enum(FREQUENCIES).nullable().meta({ description: 'Null: no digests.' }) })
  .meta({ id: 'DigestPreferencePut', example: { frequency: 'weekly' } });
