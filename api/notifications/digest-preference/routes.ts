import {
  readDigestPreference,
  saveDigestPreference,
} from '../../../models/notifications/digests/saveDigestPreference.js';
import { anyone, authorize, by, policy } from '../../http/policy.js';
import { get, put, routes } from '../../http/routes.js';
import { DigestPreferenceJson, DigestPreferencePut } from './schema.js';

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
