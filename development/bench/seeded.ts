/** The seed is created once and stored. Each run measures a fresh copy, so that no run sees changes of another. */
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Client } from 'pg';
import { digestOf, filesBelow } from '../../bin/building/bundleWorkflows.js';
import { ensureDatabase } from '../stack/roles.js';

/** A change of this code requires a new seed. */
const SEED_SOURCES = ['models/database/schema', 'development/seeding'];

export interface Seeded {
  /** Name of the database with the seed. */
  database: string;
  isThere: boolean;
  /** Records that the seed is complete. */
  keep(): void;
}

export function seededIn(dataDir: string, size: string): Seeded {
  const files = SEED_SOURCES.flatMap((folder) => filesBelow(path.join(__dirname, '../..', folder), ['.js', '.sql']));
  const digest = digestOf(files);
  const mark = path.join(dataDir, `seed-${size}.digest`);
  return {
    database: `seed_${size}`,
    isThere: existsSync(mark) && readFileSync(mark, 'utf8') === digest,
    keep: () => writeFileSync(mark, digest),
  };
}

/** Creates an empty database for a new seed. */
export async function recreateDatabase(superuser: Client, { database }: Seeded, owner: string): Promise<void> {
  await superuser.query(`DROP DATABASE IF EXISTS ${database} WITH (FORCE)`);
  await ensureDatabase(superuser, database, owner);
}

/** Copies the seed's database files, which takes seconds, while a new seed takes minutes. */
export async function copySeed(superuser: Client, { database }: Seeded, copy: string, owner: string): Promise<void> {
  await superuser.query(`DROP DATABASE IF EXISTS ${copy} WITH (FORCE)`);
  await superuser.query(`CREATE DATABASE ${copy} TEMPLATE ${database} STRATEGY file_copy OWNER ${owner}`);
}

/**
 * Deletes the workflows and charges of the last run, because their rows no longer exist. @returns the file for new
 * workflows
 */
export function deleteLastRun(dataDir: string): string {
  const workflows = path.join(dataDir, 'temporal.db');
  for (const ending of ['', '-shm', '-wal']) rmSync(workflows + ending, { force: true });
  rmSync(path.join(dataDir, 'gateway'), { recursive: true, force: true });
  return workflows;
}
