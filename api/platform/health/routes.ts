import { AfterCommit, get } from '../../http/routes.js';
import { checkHealth } from './checks.js';
import { PlatformHealthJson } from './schema.js';

/** Statuses, the worst first. */
const SEVERITY = ['failing', 'degraded', 'ok'] as const;

export const platformHealthRoutes = [
  get(
    '/api/platform/health/',
    {
      summary: 'Get the health of the platform',
      description:
        'Checks the parts that the platform needs, and says what to do. A check that gets no answer within 2 seconds is `failing`.',
      access: 'platform',
      tags: ['platform'],
      response: PlatformHealthJson,
    },
    // The checks wait for other servers, so no transaction is open meanwhile.
    () =>
      Promise.resolve(
        new AfterCommit(async () => {
          const checks = await checkHealth();
          return { status: SEVERITY.find((status) => checks.some((one) => one.status === status)) ?? 'ok', checks };
        }),
      ),
  ),
];
