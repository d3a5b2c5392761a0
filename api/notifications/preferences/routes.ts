import type { PreferenceChange as Change } from '../../../models/notifications/preferences.js';
import { readPreferences, savePreferences } from '../../../models/notifications/preferences.js';
import { notificationErrors } from '../../../models/notifications/errors.js';
import { pageOf } from '../../http/pagination.js';
import { authorize, by } from '../../http/policy.js';
import { get, post, routes } from '../../http/routes.js';
import { preferencePolicy } from './policy.js';
import { PreferenceChange, PreferenceJson } from './schema.js';

const shared = {
  access: 'tenant',
  impersonation: 'closed',
  tags: ['notifications'],
  response: pageOf(PreferenceJson),
} as const;

/** There are as many as event types: they fit on one page. */
async function all(userId: string) {
  const results = await readPreferences(userId);
  return { count: results.length, next: null, previous: null, results };
}

export const preferenceRoutes = routes('/api/notifications/preferences', [
  get(
    '/',
    { ...shared, summary: 'By which ways the caller hears of each event', rule: by(preferencePolicy, 'read') },
    async ({ actor }) => {
      authorize(actor, preferencePolicy, 'read');
      return all(actor.userId);
    },
  ),

  post(
    '/',
    {
      ...shared,
      summary: 'Choose them, one or several at once',
      description:
        'Channels that are left out stay as they are; null returns a channel to the default, also to what it will be later. ' +
        'Of several preferences all are saved, or none.',
      rule: by(preferencePolicy, 'write'),
      body: PreferenceChange,
      errors: [notificationErrors.preference_locked],
    },
    async ({ actor, body }) => {
      authorize(actor, preferencePolicy, 'write');
      const { preferences, ...single } = body;
      await savePreferences(actor.userId, preferences ?? [single as Change]);
      return all(actor.userId);
    },
  ),
]);
