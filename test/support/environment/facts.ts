/** Facts that the parts of the test environment pass to one another. */

/** The servers that tests share. */
export interface Services {
  postgres: { port: number; password: string };
  temporal: { address: string; executable: string };
  /** The process that keeps the servers, and the servers. */
  pids: { keeper: number; postgres: number; temporal: number };
}

/** The facts of one test run, passed to the workers in one environment variable. */
export interface Facts {
  postgresPort: number;
  superuserPassword: string;
  temporalAddress: string;
  /** A migrated database that is copied for each test file. */
  template: string;
  /** Undefined while there are no workflows. */
  workflowBundle?: string;
}

export const FACTS = 'TEST_ENVIRONMENT_FACTS';
export const OWNER = { name: 'membership_owner', password: 'owner' };
/** The database of the large seed, on a server of its own. */
export const LARGE_SEED = 'large_seed';
export const RUNTIME = { name: 'membership_runtime', password: 'runtime' };

/** A connection string for the tests' Postgres. */
export function databaseUrl(port: number, role: { name: string; password: string }, database: string): string {
  return `postgres://${role.name}:${role.password}@127.0.0.1:${port}/${database}`;
}
