import type { PreferenceChange as Change } from '../../../models/notifications/preferences.js';
import { readPreferences, savePreferences } from '../../../models/notifications/preferences.js';
import { notificationErrors } from '../../../models/notifications/errors.js';
import { pageOf } from '../../http/pagination.js';
import { anyone, authorize, by, policy } from '../../http/policy.js';
import { get, post, routes } from '../../http/routes.js';
import { PreferenceChange, PreferenceJson } from './schema.js';

const preferencePolicy = policy('own notification preferences', { read: [anyone], write: [anyone] });

const shared = {
  access: 'tenant',
  impersonation: 'closed',
  tags: ['notifications'],
  response: pageOf(PreferenceJson),
} as const;

/** Returns all preferences as one page; there is one for each event type. */
async function preferencePage(userId: string) {
  const results = await readPreferences(userId);
  return { count: results.length, next: null, previous: null, results };
}

export const preferenceRoutes = routes('/api/notifications/preferences', [
  get(
    '/',
    { ...shared, summary: 'Channels of the caller for each event type', rule: by(preferencePolicy, 'read') },
    async ({ actor }) => {
      authorize(actor, preferencePolicy, 'read');
      return preferencePage(actor.userId);
    },
  ),

  post(
    '/',
    {
      ...shared,
      summary: 'Update one or several preferences',
      description:
        'Channels that are left out stay as they are; null makes a channel follow the default, including later changes of it. ' +
        'Several preferences are saved together or not at all.',
      rule: by(preferencePolicy, 'write'),
      body: PreferenceChange,
      errors: [notificationErrors.preference_locked],
    },
    async ({ actor, body }) => {
      authorize(actor, preferencePolicy, 'write');
      const { preferences, ...single } = body;
      await savePreferences(actor.userId, preferences ?? [single as Change]);
      return preferencePage(actor.userId);
    },
  ),
]);
