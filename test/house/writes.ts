/** The tables that a text writes: SQL in a definition, or in code. */
import { AREAS } from '../../models/database/schema/areas.js';

/** Each table with the area whose `guards.ts` lists it. */
const AREA_OF: ReadonlyMap<string, string> = new Map(
  Object.entries(AREAS).flatMap(([area, guards]) => Object.keys(guards).map((table) => [table, area] as const)),
);
/** Tables of the migrations themselves, in no `guards.ts`. */
const LEDGERS = ['schema_migrations', 'schema_definitions'];
export const areaOf = (table: string): string | undefined =>
  LEDGERS.includes(table) ? 'database' : AREA_OF.get(table);

const COMMENTS = /\/\*[\s\S]*?\*\/|^\s*\/\/.*$|^\s*--.*$/gm;
const WRITE =
  /\b(?:INSERT\s+INTO|MERGE\s+INTO|DELETE\s+FROM|UPDATE|TRUNCATE(?:\s+TABLE)?|COPY)\s+(?:ONLY\s+)?(?:public\.)?["`]?(\$\{|\w+)/gi;
/** `ON CONFLICT DO UPDATE SET`, `FOR UPDATE SKIP LOCKED`, `AFTER UPDATE OF … ON`, grants. */
const NO_TABLE = /^(?:SET|OF|ON|OR|SKIP|NOWAIT|AND)$/i;

/** A table whose name is not in the text. */
const UNNAMED = '${';

/** @returns names of tables, and `UNNAMED` */
export const writesIn = (text: string): string[] => [
  ...new Set(
    [...text.replaceAll(COMMENTS, '').matchAll(WRITE)]
      .map(([, name = '']) => name)
      .filter((name) => name === UNNAMED || (!NO_TABLE.test(name) && areaOf(name) !== undefined)),
  ),
];

/**
 * The area of a file: its folder, which is the same in api, models and test. Code that all requests share writes for the platform,
 * as `models/database` does.
 */
const areaOfFile = (file: string): string | undefined => {
  const area =
    /^models\/database\/schema\/([^/]+)\//.exec(file)?.[1] ?? /^(?:api|models|activities)\/([^/]+)\//.exec(file)?.[1];
  return area === 'http' ? 'database' : area;
};

/** A migration depends on tables alone, and writes to the audit log directly, where other code calls `audit`. */
const logsInMigration = (file: string, table: string): boolean =>
  ['audit_log', 'audit_values'].includes(table) && /\/schema\/[^/]+\/\d{4}-[^/]+$/.test(file);

/** @returns one line for each table that belongs to another area */
export const strangeWrites = (file: string, text: string): string[] =>
  writesIn(text)
    .filter((table) => table === UNNAMED || areaOf(table) !== areaOfFile(file))
    .filter((table) => !logsInMigration(file, table))
    .map((table) =>
      table === UNNAMED
        ? `${file} writes a table that it does not name`
        : `${file} writes ${table}, which is for ${areaOf(table)} to write`,
    );
