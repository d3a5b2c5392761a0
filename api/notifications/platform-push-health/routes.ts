import { z } from 'zod';
import { moment } from '../../../models/fields.js';
import { readPushHealth } from '../../../models/notifications/push/platformPushHealth.js';
import { get, routes } from '../../http/routes.js';

/** The same of each platform. */
const each = <Of extends z.ZodType>(of: Of) => z.object({ ios: of, android: of });

const Counts = z.object({
  success: z.int(),
  unregistered: z.int(),
  transient_failure: z.int(),
  skipped_no_credentials: z.int(),
  suppressed_by_preference: z.int(),
});

const PushHealthJson = z
  .object({
    since: moment,
    platforms: each(Counts),
    configured: each(z.boolean()).meta({ description: 'Whether there are credentials for its gateway.' }),
  })
  .meta({ id: 'PlatformPushHealth' });

export const platformPushHealthRoutes = routes('/api/notifications/platform-push-health', [
  get(
    '/',
    {
      summary: 'What became of the pushes of the last 24 hours',
      description: 'Attempts of all organizations, by platform and outcome: counts, and nobody named.',
      access: 'platform',
      tags: ['notifications'],
      response: PushHealthJson,
    },
    async () => readPushHealth(),
  ),
]);
