/** The seed is made once and kept; each run measures a fresh copy of it, so that no run finds what another left. */
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Client } from 'pg';
import { digestOf, filesBelow } from '../../bin/building/bundleWorkflows.js';
import { ensureDatabase } from '../stack/roles.js';

/** Code whose change makes another seed. */
const MAKERS = ['models/database/schema', 'development/seeding'];

export interface Seeded {
  /** Name of the database that holds it. */
  database: string;
  isThere: boolean;
  /** Notes down that it is complete. */
  keep(): void;
}

export function seededIn(dataDir: string, size: string): Seeded {
  const files = MAKERS.flatMap((folder) => filesBelow(path.join(__dirname, '../..', folder), ['.js', '.sql']));
  const digest = digestOf(files);
  const mark = path.join(dataDir, `seed-${size}.digest`);
  return {
    database: `seed_${size}`,
    isThere: existsSync(mark) && readFileSync(mark, 'utf8') === digest,
    keep: () => writeFileSync(mark, digest),
  };
}

/** An empty database for a new seed. */
export async function makeRoom(superuser: Client, { database }: Seeded, owner: string): Promise<void> {
  await superuser.query(`DROP DATABASE IF EXISTS ${database} WITH (FORCE)`);
  await ensureDatabase(superuser, database, owner);
}

/** Copies the seed's files: seconds, where a new seed takes minutes. */
export async function copySeed(superuser: Client, { database }: Seeded, copy: string, owner: string): Promise<void> {
  await superuser.query(`DROP DATABASE IF EXISTS ${copy} WITH (FORCE)`);
  await superuser.query(`CREATE DATABASE ${copy} TEMPLATE ${database} STRATEGY file_copy OWNER ${owner}`);
}

/** Workflows and charges of the last run are of rows that are gone. @returns the file for new workflows */
export function forgetLastRun(dataDir: string): string {
  const workflows = path.join(dataDir, 'temporal.db');
  for (const ending of ['', '-shm', '-wal']) rmSync(workflows + ending, { force: true });
  rmSync(path.join(dataDir, 'gateway'), { recursive: true, force: true });
  return workflows;
}
