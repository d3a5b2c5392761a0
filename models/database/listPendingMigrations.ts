import { auxiliaryPool } from './auxiliaryPool.js';
import { checksum, definitions, migrations } from './schemaFiles.js';

/** The expected rows of the tables of applied migrations and definitions, with the name of each. Read once per process. */
let expected: ReadonlyMap<string, string> | undefined;

const readExpected = (): ReadonlyMap<string, string> =>
  new Map([
    ...migrations().map(({ name }) => [name, name] as const),
    ...definitions().map((definition) => [`${definition.name} ${checksum(definition)}`, definition.name] as const),
  ]);

/**
 * Lists the migrations and definitions of this release that the database lacks. Unknown ones belong to a newer release,
 * which keeps its schema compatible with this one.
 */
export async function listPendingMigrations(): Promise<string[]> {
  expected ??= readExpected();
  const { rows } = await auxiliaryPool().query<{ line: string }>(
    "SELECT name AS line FROM schema_migrations UNION ALL SELECT name || ' ' || checksum FROM schema_definitions",
  );
  const applied = new Set(rows.map(({ line }) => line));
  return [...expected].filter(([line]) => !applied.has(line)).map(([, name]) => name);
}
