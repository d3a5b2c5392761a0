/** Rows as answers show them. What is asked for often, or made of many rows, has SQL of its own (`page.ts`). */
import { DataTypes, literal, type Model } from 'sequelize';
import type { z } from 'zod';
import { found } from '../../errors.js';
import { type Page, type PageRequest, selectPage } from '../page.js';
import { currentOrganization } from '../rows.js';
import type { Column } from './columns.js';
import { type Columns, type Definition, type Derived, type Kind, namedAsTable, nameOutside } from './defineModel.js';
import type { JsonShape } from './schemas.js';

/** A row in an answer. */
export type Shown<C extends Columns, D extends Record<string, Derived>> = z.output<z.ZodObject<JsonShape<C, D>>>;
/** The same, of a model. */
export type ShownRow<K> = K extends { definition: Definition<infer C, infer D> } ? Shown<C, D> : never;

/** A row by its primary key, or null. */
export async function findRow<C extends Columns, D extends Record<string, Derived>>(
  kind: Kind<Model, C, D>,
  id: string,
): Promise<Shown<C, D> | null> {
  const { definition } = kind;
  const where = { ...tenantOf(definition), [kind.primaryKeyAttribute]: id };
  const options = { attributes: attributesOf(definition), where, raw: true };
  return (await namedAsTable(kind).findOne(options)) as Shown<C, D> | null;
}

/** A row by its primary key. @throws Refusal not_found */
export const readRow = async <C extends Columns, D extends Record<string, Derived>>(
  kind: Kind<Model, C, D>,
  id: string,
): Promise<Shown<C, D>> => found(await findRow(kind, id));

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
  /** Values that columns are to have; those that are undefined say nothing. */
  where: Record<string, unknown>;
}

/** A page of the tenant's rows in one statement. @throws Refusal page_not_found */
export function readPage<C extends Columns, D extends Record<string, Derived>>(
  kind: Kind<Model, C, D>,
  { where, ...page }: RowsPage,
): Promise<Page<Shown<C, D>>> {
  const { definition } = kind;
  const { table } = definition;
  const wanted = Object.entries({ ...tenantOf(definition), ...where }).filter(([, value]) => value !== undefined);
  return selectPage<Shown<C, D>>({
    from: `${table} ${table}`,
    where: wanted.map(([name], n) => `${table}.${name} = $${n + 1}`).join(' AND '),
    values: wanted.map(([, value]) => value),
    key: `${table}.${kind.primaryKeyAttribute}`,
    select: shownSql(kind),
    ...page,
  });
}

/** What is shown of a row, for lists with SQL of their own, in which it goes by the table's name. */
export const shownSql = ({ definition }: { definition: Definition }): string =>
  shownColumns(definition)
    .map(([name, sql]) => `${sql} AS "${name}"`)
    .join(', ');

const tenantOf = ({ columns }: Definition) =>
  'organization_id' in columns ? { organization_id: currentOrganization() } : {};

/** What is shown of a row, as SQL under the name that clients know. */
function shownColumns({ table, columns, derived = {} }: Definition): [name: string, sql: string, column?: Column][] {
  const own = Object.entries(columns).filter(([, column]) => !column.has('hidden'));
  return [
    ...own.map(([name, column]) => [nameOutside(name, column), `${table}.${name}`, column] as const),
    ...Object.entries(derived).map(([name, { sql }]) => [name, sql] as const),
  ].map(([...shown]) => shown as [string, string, Column?]);
}

/** The same for Sequelize. Moments are text already, as in the JSON that pages are. */
const attributesOf = (definition: Definition) =>
  shownColumns(definition).map(([name, sql, column]): [ReturnType<typeof literal>, string] => [
    literal(column?.facts.type === DataTypes.DATE ? `to_json(${sql})` : sql),
    name,
  ]);
