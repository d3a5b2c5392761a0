/** Whether this process lives, and whether what it needs is there. */
import { z } from 'zod';
import { get, type Route } from './routes.js';

export const systemRoutes: Route[] = [
  get(
    '/healthz/',
    {
      summary: 'Whether the process is alive',
      access: 'public',
      throttle: [],
      tags: ['system'],
      response: z.object({ status: z.literal('alive') }),
    },
    () => Promise.resolve({ status: 'alive' as const }),
  ),
];
