/** Creates roles and databases on a local Postgres server, and reads role and database from a connection string. */
import { Client } from 'pg';

export interface Role {
  name: string;
  password: string;
}

/** Returns the role and database of a connection string. */
export function roleOf(url: string): Role & { database: string } {
  const parsed = new URL(url);
  return {
    name: decodeURIComponent(parsed.username),
    password: decodeURIComponent(parsed.password),
    database: decodeURIComponent(parsed.pathname.slice(1)),
  };
}

const identifier = (name: string) => `"${name.replaceAll('"', '""')}"`;
const literal = (text: string) => `'${text.replaceAll("'", "''")}'`;

/** Creates the role or sets its password again. The role may log in and nothing else. */
export async function ensureRole(superuser: Client, { name, password }: Role): Promise<void> {
  const existing = await superuser.query('SELECT FROM pg_roles WHERE rolname = $1', [name]);
  const verb = existing.rowCount ? 'ALTER' : 'CREATE';
  const powers = 'LOGIN NOSUPERUSER NOBYPASSRLS NOCREATEDB NOCREATEROLE NOREPLICATION';
  await superuser.query(`${verb} ROLE ${identifier(name)} ${powers} PASSWORD ${literal(password)}`);
  // All transactions need UTC; setting it in each transaction costs a tenth of a small read (measured).
  await superuser.query(`ALTER ROLE ${identifier(name)} SET timezone = 'UTC'`);
}

/** Creates the database with its owner, unless it exists. */
export async function ensureDatabase(superuser: Client, name: string, owner: string): Promise<void> {
  const existing = await superuser.query('SELECT FROM pg_database WHERE datname = $1', [name]);
  if (existing.rowCount) return;
  await superuser.query(`CREATE DATABASE ${identifier(name)} OWNER ${identifier(owner)}`);
}

/** Opens a connection, runs the work and closes the connection. */
export async function withClient<Result>(url: string, work: (client: Client) => Promise<Result>): Promise<Result> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
