/** Compares each model with its table in Postgres's catalog, and finds tables without a model. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Client } from 'pg';
import { TABLES_WITHOUT_MODEL } from '../../models/database/model/tablesWithoutModel.js';
import { allModels, type Kind } from '../../models/database/model/defineModel.js';

const MODELS = path.resolve(__dirname, '../../models');

/** Imports every file that defines a model, so that `allModels` knows them all. */
export async function loadModels(): Promise<void> {
  for (const name of readdirSync(MODELS, { recursive: true, encoding: 'utf8' })) {
    const file = path.join(MODELS, name);
    if (/[/\\][A-Z]\w*\.ts$/.test(file) && readFileSync(file, 'utf8').includes('defineModel(')) await import(file);
  }
}

interface TableColumn {
  table: string;
  name: string;
  type: string;
  nullable: boolean;
  /** SQL. */
  default: string | null;
  key: boolean;
}

const COLUMNS = `
  SELECT c.relname AS table, a.attname AS name, format_type(a.atttypid, a.atttypmod) AS type, NOT a.attnotnull AS nullable,
         CASE WHEN a.attgenerated = '' THEN pg_get_expr(d.adbin, d.adrelid) END AS default,
         EXISTS (SELECT 1 FROM pg_index i WHERE i.indrelid = c.oid AND i.indisprimary AND a.attnum = ANY(i.indkey)) AS key
    FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
    LEFT JOIN pg_attrdef d ON d.adrelid = c.oid AND d.adnum = a.attnum
   WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
   ORDER BY c.relname, a.attnum`;

/** The origin of a broken constraint's name: the table, an index, or the function of a trigger that raises it. */
const NAMES_RAISED = `
  SELECT conname AS name FROM pg_constraint UNION SELECT relname FROM pg_class WHERE relkind = 'i'
  UNION SELECT (regexp_matches(prosrc, 'CONSTRAINT = ''(\\w+)''', 'g'))[1] FROM pg_proc`;

const TOUCHED = `
  SELECT tgrelid::regclass::text AS table FROM pg_trigger t JOIN pg_proc p ON p.oid = t.tgfoid WHERE p.proname = 'touch'`;

type Queryable = Pick<Client, 'query'>;

/** @returns one line for each problem; none when every table has a matching model, or a reason to have none */
export async function modelProblems(client: Queryable): Promise<string[]> {
  const { rows: columns } = await client.query<TableColumn>(COLUMNS);
  const tables = new Set(columns.map(({ table }) => table));
  const excused = new Set(Object.keys(TABLES_WITHOUT_MODEL));
  const modelled = new Set(allModels().map(({ definition }) => definition.table));
  const problems = [
    ...[...tables]
      .filter((table) => !modelled.has(table) && !excused.has(table))
      .map((t) => `${t} has no model, and no reason`),
    ...[...excused].filter((table) => modelled.has(table)).map((t) => `${t} has a model, and a reason to have none`),
    ...[...excused].filter((table) => !tables.has(table)).map((t) => `${t} has a reason, and is not there`),
  ];
  const raised = new Set((await client.query<{ name: string }>(NAMES_RAISED)).rows.map(({ name }) => name));
  const touched = new Set((await client.query<{ table: string }>(TOUCHED)).rows.map(({ table }) => table));
  for (const model of allModels()) {
    const { table, constraints = {} } = model.definition;
    const own = columns.filter((column) => column.table === table);
    problems.push(...(await differences(client, model, own)));
    for (const name of Object.keys(constraints))
      if (!raised.has(name)) problems.push(`${table}: nothing raises ${name}`);
    problems.push(...personProblems(model));
    if ('updated_at' in model.getAttributes() && !touched.has(table)) problems.push(`${table} is not touched`);
  }
  return problems.sort();
}

/** An audited row of a person must declare it: its values are personal. */
function personProblems({ definition: { table, subject, person, columns } }: Kind): string[] {
  const named = (['user_id', 'membership_id'] as const).find((name) => name in columns);
  if (subject === undefined || person === named) return [];
  return [`${table}: values of ${named ?? 'nobody'} are taken for those of ${person ?? 'nobody'} in the audit log`];
}

async function differences(client: Queryable, model: Kind, columns: TableColumn[]): Promise<string[]> {
  const { table } = model.definition;
  const attributes = model.getAttributes();
  const found = columns
    .filter(({ name }) => !attributes[name])
    .map(({ name }) => `${table}.${name} is not in the model`);
  for (const [name, attribute] of Object.entries(attributes)) {
    const at = `${table}.${name}`;
    const column = columns.find((one) => one.name === name);
    if (!column) {
      found.push(`${at} is not in the table`);
      continue;
    }
    const type = String(attribute.type).toLowerCase();
    if (type !== WORDS[column.type] && type !== column.type) found.push(`${at} is ${column.type}, not ${type}`);
    if (column.nullable !== attribute.allowNull) found.push(`${at} is ${column.nullable ? '' : 'not '}nullable`);
    if (column.key !== Boolean(attribute.primaryKey))
      found.push(`${at} is ${column.key ? '' : 'not '}of the primary key`);
    const [theirs, ours] = [await defaultOf(client, column), defaultOfModel(model, name)];
    if (theirs !== ours) found.push(`${at} has the default ${theirs}, not ${ours}`);
  }
  return found;
}

/** Types that have another name in Sequelize. */
const WORDS: Record<string, string> = { 'time without time zone': 'time' };

/** A constant as JSON; other expressions as Postgres writes them. */
async function defaultOf(client: Queryable, { default: sql }: Pick<TableColumn, 'default'>): Promise<string | null> {
  if (sql === null) return null;
  if (sql.includes('(')) return sql;
  const { rows } = await client.query<{ value: unknown }>(`SELECT to_jsonb(${sql}) AS value`);
  return JSON.stringify(rows[0]?.value);
}

function defaultOfModel({ definition: { columns } }: Kind, name: string): string | null {
  const { computed, default: constant } = columns[name]?.facts ?? {};
  return computed ?? (constant === undefined || constant === null ? null : JSON.stringify(constant));
}
