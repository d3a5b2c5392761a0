/** Rows as answers show them. What is asked for often, or made of many rows, has SQL of its own (`page.ts`). */
import { DataTypes, literal, type Model, type WhereOptions } from 'sequelize';
import type { z } from 'zod';
import { found } from '../../errors.js';
import { type Page, type PageRequest, selectPage, selectPlatformPage } from '../page.js';
import type { Column } from './columns.js';
import {
  type Columns,
  type Definition,
  type Derived,
  type Key,
  type Kind,
  namedAsTable,
  nameOutside,
  tenantOf,
  type Values,
  whereOf,
} from './defineModel.js';
import type { JsonShape } from './schemas.js';

/** A row in an answer. */
export type Shown<C extends Columns, D extends Record<string, Derived>> = z.output<z.ZodObject<JsonShape<C, D>>>;
/** The same, of a model. */
export type ShownRow<K> = K extends { definition: Definition<infer C, infer D> } ? Shown<C, D> : never;

/** A row, or null. @param key its primary key, or what columns of it have to be */
export async function findRow<C extends Columns, D extends Record<string, Derived>>(
  kind: Kind<Model, C, D>,
  key: Key<Values<C>>,
): Promise<Shown<C, D> | null> {
  const options = { attributes: attributesOf(kind.definition), where: whereOf(kind, key), raw: true };
  return (await namedAsTable(kind).findOne(options)) as Shown<C, D> | null;
}

/** The same. @throws Refusal not_found */
export const readRow = async <C extends Columns, D extends Record<string, Derived>>(
  kind: Kind<Model, C, D>,
  key: Key<Values<C>>,
): Promise<Shown<C, D>> => found(await findRow(kind, key));

/** A row as it is kept, with what is hidden, or null: for what decides, not for answers. */
export const loadIfThere = <Row extends Model, C extends Columns>(
  kind: Kind<Row, C>,
  key: Key<Values<C>>,
): Promise<Row | null> => kind.findOne({ where: whereOf(kind, key) as WhereOptions });

/** The same. @throws Refusal not_found */
export const loadRow = async <Row extends Model, C extends Columns>(
  kind: Kind<Row, C>,
  key: Key<Values<C>>,
): Promise<Row> => found(await loadIfThere(kind, key));

/** All rows of the tenant, for what an organization has few of. @param orderBy names of columns */
export async function readRows<C extends Columns, D extends Record<string, Derived>>(
  kind: Kind<Model, C, D>,
  orderBy: NoInfer<keyof C & string>[],
): Promise<Shown<C, D>[]> {
  const { definition } = kind;
  const order = [...orderBy, kind.primaryKeyAttribute];
  const where = tenantOf(definition);
  const options = { attributes: attributesOf(definition), where, order, raw: true };
  return (await namedAsTable(kind).findAll(options)) as unknown as Shown<C, D>[];
}

export interface RowsPage extends PageRequest {
  /** SQL, in which a row goes by the table's name. */
  orderBy: string;
  /** Values that columns are to have, null for none; those that are undefined say nothing. */
  where: Record<string, unknown>;
}

/** A page of rows, the tenant's where they are a tenant's, in one statement. @throws Refusal page_not_found */
export function readPage<C extends Columns, D extends Record<string, Derived>>(
  kind: Kind<Model, C, D>,
  { where, ...page }: RowsPage,
): Promise<Page<Shown<C, D>>> {
  const { definition } = kind;
  const { table } = definition;
  const tenant = tenantOf(definition);
  const wanted = Object.entries({ ...tenant, ...where }).filter(([, value]) => value !== undefined);
  const values: unknown[] = [];
  const conditions = wanted.map(([name, value]) =>
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

/** What is shown of a row, for lists with SQL of their own, in which it goes by the table's name. */
export const shownSql = ({ definition }: { definition: Definition }): string =>
  shownColumns(definition)
    .map(({ name, sql }) => `${sql} AS "${name}"`)
    .join(', ');

/** What is shown of a row: SQL under the name that clients know. */
interface ShownColumn {
  name: string;
  sql: string;
  /** Absent for what is derived. */
  column?: Column;
}

function shownColumns({ table, columns, derived = {} }: Definition): ShownColumn[] {
  const own = Object.entries(columns).filter(([, column]) => !column.has('hidden'));
  return [
    ...own.map(([name, column]) => ({ name: nameOutside(name, column), sql: `${table}.${name}`, column })),
    ...Object.entries(derived).map(([name, { sql }]) => ({ name, sql })),
  ];
}

/** The same for Sequelize. Moments are text already, as in the JSON that pages are. */
const attributesOf = (definition: Definition) =>
  shownColumns(definition).map(({ name, sql, column }): [ReturnType<typeof literal>, string] => [
    literal(column?.facts.type === DataTypes.DATE ? `to_json(${sql})` : sql),
    name,
  ]);
