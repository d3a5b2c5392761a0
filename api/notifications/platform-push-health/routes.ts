import { z } from 'zod';
import { moment } from '../../../models/fields.js';
import { readPushHealth } from '../../../models/notifications/push/platformPushHealth.js';
import { get, routes } from '../../http/routes.js';

/** Returns a schema with the same value for each platform. */
const each = <Of extends z.ZodType>(of: Of) => z.object({ ios: of, android: of });

const Counts = z.object({
  success: z.int(),
  unregistered: z.int(),
  transient_failure: z.int(),
  skipped_no_credentials: z.int(),
  suppressed_by_preference: z.int(),
});

const Gateway = z
  .object({
    paused_at: moment
      .nullable()
      .meta({ description: 'Since when the gateway refuses the credentials of the platform, and pushes wait.' }),
    paused_reason: z
      .string()
      .nullable()
      .meta({ description: 'What the gateway answered.', example: 'InvalidProviderToken' }),
    next_probe_at: moment
      .nullable()
      .meta({ description: 'When the next single push may be sent to find out whether the gateway accepts again.' }),
    pruning_halted_at: moment.nullable().meta({
      description: 'Since when no token is removed, because the gateway reports too many as unregistered.',
    }),
  })
  .meta({ id: 'PushGateway' });

const PushHealthJson = z
  .object({
    since: moment,
    platforms: each(Counts),
    configured: each(z.boolean()).meta({ description: 'Whether there are credentials for its gateway.' }),
    gateways: each(Gateway).meta({ description: 'The state of each gateway now.' }),
  })
  .meta({ id: 'PlatformPushHealth' });

export const platformPushHealthRoutes = routes('/api/notifications/platform-push-health', [
  get(
    '/',
    {
      summary: 'State of the push gateways, and the pushes of the last 24 hours',
      description: 'Attempts of all organizations, by platform and outcome. Contains only counts and names no person.',
      access: 'platform',
      tags: ['notifications'],
      response: PushHealthJson,
    },
    async () => readPushHealth(),
  ),
]);
