/**
 * A server that serves one route of the product in two variants, with and without authentication, to measure the cost
 * of authentication.
 */
import { z } from 'zod';
import { withoutRule } from '../../api/http/policy.js';
import { get, routes } from '../../api/http/routes.js';
import { startServer } from '../../api/server.js';
import { exitWithSupervisor, reportReady } from '../../bin/serving/exitWithSupervisor.js';
import { handedPort } from './protocol.js';

const response = z.object({ answer: z.literal(42) });
const answered = async () => ({ answer: 42 as const });

const bothRoutes = routes('/api/bench', [
  get(
    '/account/',
    { summary: 'For a person', access: 'account', rule: withoutRule('a measurement'), response },
    answered,
  ),
  get('/public/', { summary: 'For anybody', access: 'public', response }, answered),
]);

async function main(): Promise<void> {
  exitWithSupervisor();
  const server = await startServer({ port: handedPort(), routes: bothRoutes });
  process.once('SIGTERM', () => void server.stop(1).finally(() => process.exit(0)));
  reportReady();
}

main().catch((error: Error) => {
  console.error(error.message);
  process.exit(1);
});
