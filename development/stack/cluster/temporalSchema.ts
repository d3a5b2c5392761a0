/** Creates Temporal's two databases on a Postgres server, and its namespace. Safe to repeat. */
import { execFile } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { Connection } from '@temporalio/client';
import { type Cluster, superuserUrl } from '../postgres.js';
import { ensureDatabase, ensureRole, withClient } from '../roles.js';
import { TEMPORAL_DATABASES, TEMPORAL_ROLE } from './temporalNode.js';

/** Number of days for which finished workflows are kept, as in docker/temporal-namespace.sh. */
const RETENTION_DAYS = 30;
const TIMEOUT_MS = 60_000;
/** gRPC status code for a namespace that exists already. */
const ALREADY_EXISTS = 6;

const SCHEMAS = {
  [TEMPORAL_DATABASES.store]: 'postgresql/v12/temporal',
  [TEMPORAL_DATABASES.search]: 'postgresql/v12/visibility',
};

/**
 * Creates missing databases, and updates their schemas to the release of Temporal's SQL tool.
 * @throws Error with the output of the tool
 */
export async function prepareTemporalDatabases(cluster: Cluster, sqlTool: string): Promise<void> {
  await withClient(superuserUrl(cluster), async (client) => {
    await ensureRole(client, TEMPORAL_ROLE);
    for (const name of Object.keys(SCHEMAS)) await ensureDatabase(client, name, TEMPORAL_ROLE.name);
  });
  for (const [database, schema] of Object.entries(SCHEMAS)) {
    const where = ['--plugin', 'postgres12', '--ep', '127.0.0.1', '--port', String(cluster.port), '--db', database];
    const tool = async (...args: string[]) => {
      const { name: user, password } = TEMPORAL_ROLE;
      await promisify(execFile)(sqlTool, [...where, '--user', user, '--password', password, ...args]);
    };
    if (!(await hasVersions(cluster, database))) await tool('setup-schema', '--version', '0.0');
    await tool('update-schema', '--schema-name', schema);
  }
}

const hasVersions = (cluster: Cluster, database: string): Promise<boolean> =>
  withClient(superuserUrl(cluster, database), async (client) => {
    const { rows } = await client.query("SELECT to_regclass('schema_version') IS NOT NULL AS known");
    return rows[0].known as boolean;
  });

/** Creates the namespace; retries until the nodes are ready. @throws Error after a minute */
export async function ensureNamespace(address: string, namespace = 'default'): Promise<void> {
  const connection = Connection.lazy({ address });
  const deadline = Date.now() + TIMEOUT_MS;
  const workflowExecutionRetentionPeriod = { seconds: RETENTION_DAYS * 86_400 } as never;
  try {
    for (;;) {
      try {
        await connection.workflowService.registerNamespace({ namespace, workflowExecutionRetentionPeriod });
        return;
      } catch (error) {
        if ((error as { code?: number }).code === ALREADY_EXISTS) return;
        if (Date.now() > deadline) throw error;
        await sleep(500);
      }
    }
  } finally {
    await connection.close();
  }
}
