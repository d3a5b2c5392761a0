import { z } from 'zod';
import {
  readDigestPreference,
  saveDigestPreference,
} from '../../../models/notifications/digests/saveDigestPreference.js';
import { rowJson } from '../../../models/database/model/schemas.js';
import { DigestPreference, FREQUENCIES } from '../../../models/notifications/digests/DigestPreference.js';
import { anyone, authorize, by, policy } from '../../http/policy.js';
import { get, put, routes } from '../../http/routes.js';

const DigestPreferenceJson = rowJson(DigestPreference);

/** PUT replaces the preference, so its only field is required. */
const DigestPreferencePut = z
  .object({ frequency: z.enum(FREQUENCIES).nullable().meta({ description: 'Null: no digests.' }) })
  .meta({ id: 'DigestPreferencePut', example: { frequency: 'weekly' } });

export const digestPolicy = policy('own digests', { read: [anyone], write: [anyone] });

const shared = {
  access: 'tenant',
  impersonation: 'closed',
  tags: ['notifications'],
  response: DigestPreferenceJson,
} as const;

export const digestPreferenceRoutes = routes('/api/notifications/digest-preference', [
  get(
    '/',
    { ...shared, summary: 'Digest frequency of the caller', rule: by(digestPolicy, 'read') },
    async ({ actor }) => {
      authorize(actor, digestPolicy, 'read');
      return readDigestPreference(actor.userId);
    },
  ),

  put(
    '/',
    {
      ...shared,
      summary: 'Update the digest frequency',
      rule: by(digestPolicy, 'write'),
      body: DigestPreferencePut,
    },
    async ({ actor, body }) => {
      authorize(actor, digestPolicy, 'write');
      await saveDigestPreference(actor.userId, body);
      return readDigestPreference(actor.userId);
    },
  ),
]);
