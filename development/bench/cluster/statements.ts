/** Counts Postgres's statements and connections by role. */
import { Client, type Client as Connected } from 'pg';
import { TEMPORAL_ROLE } from '../../stack/cluster/temporalNode.js';
import { type Pooler, poolerUrl } from '../../stack/pgbouncer.js';

export interface Counted {
  platform: number;
  temporal: number;
}

/** SQL that sums a value for the platform's role and for Temporal's. */
const BY_ROLE = (what: string, from: string) =>
  `SELECT coalesce(sum(n) FILTER (WHERE name = $1), 0)::float AS platform, coalesce(sum(n) FILTER (WHERE name = $2), 0)::float AS temporal
     FROM (SELECT r.rolname AS name, ${what} AS n FROM ${from}) counted`;

export const prepareCounting = (superuser: Connected): Promise<unknown> =>
  superuser.query('CREATE EXTENSION IF NOT EXISTS pg_stat_statements');

/** Counts executed statements, including BEGIN and COMMIT. @param platform name of the platform's role */
export async function statementsOf(superuser: Connected, platform: string): Promise<Counted> {
  const from = 'pg_stat_statements s JOIN pg_roles r ON r.oid = s.userid';
  const { rows } = await superuser.query<Counted>(BY_ROLE('s.calls', from), [platform, TEMPORAL_ROLE.name]);
  return rows[0] as Counted;
}

/** Counts open connections. @param platform name of the platform's role */
export async function connectionsOf(superuser: Connected, platform: string): Promise<Counted> {
  const from = `pg_stat_activity a JOIN pg_roles r ON r.oid = a.usesysid AND a.backend_type = 'client backend'`;
  const { rows } = await superuser.query<Counted>(BY_ROLE('1', from), [platform, TEMPORAL_ROLE.name]);
  return rows[0] as Counted;
}

/** Counts the connections of APIs and workers to the pooler. */
export async function clientsOf(pooler: Pooler): Promise<number> {
  const client = new Client({
    connectionString: Object.assign(new URL(poolerUrl(pooler)), { pathname: '/pgbouncer' }).href,
  });
  await client.connect();
  try {
    const { rows } = await client.query<{ database: string }>('SHOW CLIENTS');
    return rows.filter(({ database }) => database !== 'pgbouncer').length;
  } finally {
    await client.end();
  }
}
