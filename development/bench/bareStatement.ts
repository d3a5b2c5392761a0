/** What Postgres alone could do: the statement of a read, prepared, on as many connections as the API has, by pgbench. */
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { parseQuery } from '../../api/http/body.js';
import { allRoutes } from '../../api/routes.js';
import type { Statement } from '../../models/database/rows.js';
import { findPostgresTools } from '../stack/findPostgresTools.js';
import { CALLS_OF_A_PART } from './protocol.js';

export interface Bare {
  /** Of the runtime role. */
  databaseUrl: string;
  organizationId: string;
  /** Who asks. */
  userId: string;
  connections: number;
  seconds: number;
}

/** The statement that the product sends for this address together with the look-up of the actor. */
function statementOf(address: string, userId: string): Statement {
  const { pathname } = new URL(address, 'http://bench');
  for (const { method, path: pattern, spec } of allRoutes) {
    const names = [...pattern.matchAll(/:(\w+)/g)].map(([, name]) => name as string);
    const values = new RegExp(`^${pattern.replaceAll(/:\w+/g, '([^/]+)')}$`).exec(pathname)?.slice(1);
    if (method !== 'get' || !spec.ahead || !values) continue;
    const params = spec.params?.parse(Object.fromEntries(names.map((name, n) => [name, values[n]])));
    const statement = spec.ahead.statement({ params, query: spec.query?.parse(parseQuery(address)), userId });
    if (statement) return statement;
  }
  throw new Error(`${address} is not read ahead.`);
}

/** @returns statements a second, without actor, HTTP and JSON of ours. @throws Error with what pgbench says */
export const bareRate = (address: string, bare: Bare): Promise<number> =>
  rateOf(statementOf(address, bare.userId), bare);

/** The same for any statement, on a plan that is kept if the product keeps it. A value that is null stands in the text. */
export async function rateOf({ text: said, values, kept }: Statement, bare: Bare): Promise<number> {
  const text = said.replaceAll(/\$(\d+)/g, (place, n) => (values[Number(n) - 1] === null ? 'NULL' : place));
  const { username, password, hostname, port, pathname } = new URL(bare.databaseUrl);
  const tools = await findPostgresTools((line) => console.log(line));
  const folder = await mkdtemp(path.join(os.tmpdir(), 'bench-statement-'));
  try {
    const script = path.join(folder, 'statement.sql');
    await writeFile(script, `${text.replaceAll(/\$(\d+)/g, ':v$1')};\n`);
    const given = values.flatMap((value, n) => ['--define', `v${n + 1}=${String(value)}`]);
    // It counts whole seconds.
    const long = bare.seconds < 1 ? `--transactions=${CALLS_OF_A_PART}` : `--time=${Math.ceil(bare.seconds)}`;
    const how = [
      '--no-vacuum',
      `--protocol=${kept ? 'prepared' : 'extended'}`,
      `--client=${bare.connections}`,
      '--jobs=2',
      long,
    ];
    const { stdout } = await promisify(execFile)(
      path.join(tools, 'pgbench'),
      [
        ...how,
        ...given,
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
          PGOPTIONS: `-c app.organization_id=${bare.organizationId}${kept ? ' -c plan_cache_mode=force_generic_plan' : ''}`,
        },
      },
    );
    return Number(/^tps = ([\d.]+)/m.exec(stdout)?.[1]);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
