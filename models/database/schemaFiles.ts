/** Finds the migrations and definitions of this code, without loading the code that applies them. */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { AREAS } from './schema/areas.js';

/** Runs SQL as the owner, in the migration's own transaction. */
type Run = (sql: string) => Promise<void>;

export interface Migration {
  /** `runFiles` runs SQL files of `folder`/baseline; their names are given without extension. */
  up(context: { run: Run; runFiles: (folder: string, names: readonly string[]) => Promise<void> }): Promise<void>;
  down(context: { run: Run }): Promise<void>;
}

/** A migration, which runs once. */
export interface NamedMigration {
  name: string;
  load: () => Promise<Migration>;
}

/**
 * A function with its triggers, or the guards of a table, in their current form: idempotent SQL. `:"runtime"` is the
 * role that API and worker use, and `:'runtime'` its name as a text.
 */
export interface Definition {
  name: string;
  sql: string;
}

const FOLDER = path.join(__dirname, 'schema');
const filesOf = (area: string, pattern: RegExp, subfolder = ''): string[] => {
  const folder = path.join(FOLDER, area, subfolder);
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((file) => pattern.test(file) && !file.endsWith('.d.ts'))
    .sort()
    .map((file) => path.join(folder, file));
};

/** Returns the migrations of all areas, the oldest first. All areas number their migrations in one sequence. */
export const migrations = (): NamedMigration[] =>
  Object.keys(AREAS)
    .flatMap((area) => filesOf(area, /^\d{4}-.*\.[jt]s$/))
    .map((file) => ({ name: path.parse(file).name, load: () => import(file) as Promise<Migration> }))
    .sort((one, two) => (one.name < two.name ? -1 : 1));

/** Returns the definitions in the order in which they are applied: area by area, functions (by name) before guards. */
export const definitions = (): Definition[] =>
  Object.entries(AREAS).flatMap(([area, guards]) => [
    ...filesOf(area, /\.sql$/, 'definitions').map((file) => ({
      name: `${area}/${path.parse(file).name}`,
      sql: readFileSync(file, 'utf8'),
    })),
    ...Object.entries(guards).map(([table, tableGuards]) => ({
      name: `${area}/guards/${table}`,
      sql: tableGuards.map((guard) => guard(table)).join(''),
    })),
  ]);

export const checksum = ({ sql }: Definition): string => createHash('sha256').update(sql).digest('hex');
