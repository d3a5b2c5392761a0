/** Reads rows in the form of API responses. Frequent or large queries have their own SQL (`page.ts`). */
import { DataTypes, literal, type Model, type WhereOptions } from 'sequelize';
import type { z } from 'zod';
import { requireFound } from '../../errors.js';
import { type Page, type PageRequest, selectPage, selectPlatformPage } from '../page.js';
import type { Column } from './columns.js';
import {
  type Columns,
  type Definition,
  type Derived,
  type Key,
  type Kind,
  registeredModel,
  apiNameOf,
  tenantOf,
  type Values,
  whereOf,
} from './defineModel.js';
import type { JsonShape } from './schemas.js';

/** A row in an API response. */
export type Shown<C extends Columns, D extends Record<string, Derived>> = z.output<z.ZodObject<JsonShape<C, D>>>;
/** The type of a model's row in API responses. */
export type ShownRow<K> = K extends { definition: Definition<infer C, infer D> } ? Shown<C, D> : never;

/** Finds a row, or null. @param key its primary key, or column values */
export async function findRow<C extends Columns, D extends Record<string, Derived>>(
  kind: Kind<Model, C, D>,
  key: Key<Values<C>>,
): Promise<Shown<C, D> | null> {
  const options = { attributes: attributesOf(kind.definition), where: whereOf(kind, key), raw: true };
  return (await registeredModel(kind).findOne(options)) as Shown<C, D> | null;
}

/**
 * Reads a row in the form of API responses.
 * @throws Refusal not_found
 */
export const readRow = async <C extends Columns, D extends Record<string, Derived>>(
  kind: Kind<Model, C, D>,
  key: Key<Values<C>>,
): Promise<Shown<C, D>> => requireFound(await findRow(kind, key));

/** Loads a row with its hidden columns, or null. Use it for decisions, not for API responses. */
export const loadIfExists = <Row extends Model, C extends Columns>(
  kind: Kind<Row, C>,
  key: Key<Values<C>>,
): Promise<Row | null> => kind.findOne({ where: whereOf(kind, key) as WhereOptions });

/** Loads a row with hidden columns. @throws Refusal not_found */
export const loadRow = async <Row extends Model, C extends Columns>(
  kind: Kind<Row, C>,
  key: Key<Values<C>>,
): Promise<Row> => requireFound(await loadIfExists(kind, key));

/** Reads all rows of the tenant, for tables with few rows per organization. @param orderBy column names */
export async function readRows<C extends Columns, D extends Record<string, Derived>>(
  kind: Kind<Model, C, D>,
  orderBy: NoInfer<keyof C & string>[],
): Promise<Shown<C, D>[]> {
  const { definition } = kind;
  const order = [...orderBy, kind.primaryKeyAttribute];
  const where = tenantOf(definition);
  const options = { attributes: attributesOf(definition), where, order, raw: true };
  return (await registeredModel(kind).findAll(options)) as unknown as Shown<C, D>[];
}

export interface RowsPage extends PageRequest {
  /** SQL of the sort order. It refers to the row by the table's name. */
  orderBy: string;
  /** Values that columns must have; null matches NULL, and undefined ones are ignored. */
  where: Record<string, unknown>;
}

/**
 * Reads a page of rows, restricted to the tenant for tenant tables, in one statement. @throws Refusal page_not_found
 */
export function readPage<C extends Columns, D extends Record<string, Derived>>(
  kind: Kind<Model, C, D>,
  { where, ...page }: RowsPage,
): Promise<Page<Shown<C, D>>> {
  const { definition } = kind;
  const { table } = definition;
  const tenant = tenantOf(definition);
  const required = Object.entries({ ...tenant, ...where }).filter(([, value]) => value !== undefined);
  const values: unknown[] = [];
  const conditions = required.map(([name, value]) =>
    value === null ? `${table}.${name} IS NULL` : `${table}.${name} = $${values.push(value)}`,
  );
  const query = {
    ...page,
    where: conditions.join(' AND ') || 'true',
    values,
    select: shownSql(kind),
  };
  const key = `${table}.${kind.primaryKeyAttribute}`;
  return tenant.organization_id
    ? selectPage<Shown<C, D>>({ from: `${table} ${table}`, key, ...query })
    : selectPlatformPage<Shown<C, D>>({ from: table, ...query });
}

/** SELECT list of each definition, which never changes. */
const selectLists = new WeakMap<Definition, string>();

/**
 * Returns the SELECT list of a row's API fields, for lists with their own SQL. It refers to the row by the table's
 * name.
 */
export function shownSql({ definition }: { definition: Definition }): string {
  const cached = selectLists.get(definition);
  if (cached !== undefined) return cached;
  const list = shownColumns(definition)
    .map(({ name, sql }) => `${sql} AS "${name}"`)
    .join(', ');
  selectLists.set(definition, list);
  return list;
}

/** A field of API responses, with its SQL. */
interface ShownColumn {
  name: string;
  sql: string;
  /** Absent for computed fields. */
  column?: Column;
}

function shownColumns({ table, columns, derived = {} }: Definition): ShownColumn[] {
  const own = Object.entries(columns).filter(
    ([name, column]) => !column.has('hidden') && !(apiNameOf(name, column) in derived),
  );
  return [
    ...own.map(([name, column]) => ({ name: apiNameOf(name, column), sql: `${table}.${name}`, column })),
    ...Object.entries(derived).map(([name, { sql }]) => ({ name, sql })),
  ];
}

/**
 * Attributes for Sequelize. Timestamps are converted to text here, to get the same form as in the JSON of list pages.
 */
const attributesOf = (definition: Definition) =>
  shownColumns(definition).map(({ name, sql, column }): [ReturnType<typeof literal>, string] => [
    literal(column?.facts.type === DataTypes.DATE ? `to_json(${sql})` : sql),
    name,
  ]);
