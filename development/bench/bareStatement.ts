/** The limit of Postgres alone: pgbench runs the prepared statement of a read on as many connections as the API has. */
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { parseQuery } from '../../api/http/body.js';
import { allRoutes } from '../../api/routes.js';
import type { Statement } from '../../models/database/rows.js';
import { findPostgresTools } from '../stack/findPostgresTools.js';
import { CALLS_IN_SHORT_ROUND } from './protocol.js';

export interface Bare {
  /** Address of the database for the runtime role. */
  databaseUrl: string;
  organizationId: string;
  /** The user whose read is measured. */
  userId: string;
  connections: number;
  seconds: number;
}

/** Returns the statement that the product sends for this address, including the look-up of the actor. */
function statementOf(address: string, userId: string): Statement {
  const { pathname } = new URL(address, 'http://bench');
  for (const { method, path: pattern, spec } of allRoutes) {
    const names = [...pattern.matchAll(/:(\w+)/g)].map(([, name]) => name as string);
    const values = new RegExp(`^${pattern.replaceAll(/:\w+/g, '([^/]+)')}$`).exec(pathname)?.slice(1);
    if (method !== 'get' || !spec.singleMessageRead || !values) continue;
    const params = spec.params?.parse(Object.fromEntries(names.map((name, n) => [name, values[n]])));
    const statement = spec.singleMessageRead.statement({
      params,
      query: spec.query?.parse(parseQuery(address)),
      userId,
    });
    if (statement) return statement;
  }
  throw new Error(`${address} has no single-statement read.`);
}

/**
 * Measures how often Postgres alone executes the statement of a read.
 * @returns statements per second, without the product, HTTP and JSON.
 * @throws Error with pgbench's output
 */
export const bareRate = (address: string, bare: Bare): Promise<number> =>
  rateOf(statementOf(address, bare.userId), bare);

/**
 * Measures any statement with pgbench, prepared if the product prepares it. Null values are written into the SQL text.
 * @returns statements per second
 */
export async function rateOf({ text: statementText, values, prepared }: Statement, bare: Bare): Promise<number> {
  const text = statementText.replaceAll(/\$(\d+)/g, (parameter, n) =>
    values[Number(n) - 1] === null ? 'NULL' : parameter,
  );
  const { username, password, hostname, port, pathname } = new URL(bare.databaseUrl);
  const tools = await findPostgresTools((line) => console.log(line));
  const folder = await mkdtemp(path.join(os.tmpdir(), 'bench-statement-'));
  try {
    const script = path.join(folder, 'statement.sql');
    await writeFile(script, `${text.replaceAll(/\$(\d+)/g, ':v$1')};\n`);
    const variables = values.flatMap((value, n) => ['--define', `v${n + 1}=${String(value)}`]);
    // pgbench accepts only whole seconds.
    const length = bare.seconds < 1 ? `--transactions=${CALLS_IN_SHORT_ROUND}` : `--time=${Math.ceil(bare.seconds)}`;
    const how = [
      '--no-vacuum',
      `--protocol=${prepared ? 'prepared' : 'extended'}`,
      `--client=${bare.connections}`,
      '--jobs=2',
      length,
    ];
    const { stdout } = await promisify(execFile)(
      path.join(tools, 'pgbench'),
      [
        ...how,
        ...variables,
        `--file=${script}`,
        '--host',
        hostname,
        '--port',
        port,
        '--username',
        username,
        pathname.slice(1),
      ],
      {
        env: {
          ...process.env,
          PGPASSWORD: decodeURIComponent(password),
          PGOPTIONS: `-c app.organization_id=${bare.organizationId}${prepared ? ' -c plan_cache_mode=force_generic_plan' : ''}`,
        },
      },
    );
    return Number(/^tps = ([\d.]+)/m.exec(stdout)?.[1]);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
