/**
 * One way to keep a row. A table whose rows people create or change, or that has a lifecycle, has a model:
 *
 *     export class Region extends defineModel({
 *       table: 'regions',
 *       subject: 'region',
 *       columns: { ...tenantKeys, name: text(200), manager_id: link().as('manager').nullable(), ...stamps },
 *       constraints: { regions_name_unique: taken('name', 'Another region has this name.') },
 *     }) {}
 *
 * Its columns say everything once (`columns.ts`): Postgres's type, what a client may give, the form in answers. A row is
 * created, locked, edited and removed by `change.ts`, shown by `read.ts`, and described to the API by `schemas.ts`. What a row
 * has is what its columns say: `organization_id` for a tenant's, `version` where two people may edit. A test compares all of
 * it with the table.
 */
import { literal, Model, type ModelAttributes, type ModelStatic } from 'sequelize';
import type { z } from 'zod';
import type { Refusal } from '../../errors.js';
import { sequelize } from '../connection.js';
import { translateConstraints } from '../constraints.js';
import { currentOrganization } from '../rows.js';
import type { Column } from './columns.js';

export type Columns = Record<string, Column>;

/** Something that answers show beside the columns. */
export interface Derived<Shown = unknown> {
  shown: z.ZodType<Shown>;
  /** Its SQL, in which the row goes by the table's name. */
  sql: string;
}

export interface Definition<C extends Columns = Columns, D extends Record<string, Derived> = Record<string, Derived>> {
  table: string;
  /**
   * What the audit log calls a row. Without it `change.ts` audits nothing: the row is no organization's, is no news, or its
   * operations say themselves what happened.
   */
  subject?: string;
  /** Whose its values are in that log: they go with the person. A column that names somebody, or their membership. */
  person?: 'user_id' | 'membership_id';
  columns: C;
  derived?: D;
  /** What the fields of a new row must be to one another. For edits the table's constraint says it. */
  rule?: { holds(row: Values<C>): boolean; field: keyof C & string; message: string };
  /** What it means to a client when one of the table's constraints is broken. */
  constraints?: Record<string, () => Refusal>;
}

/** The attributes of a row. */
export type Values<C extends Columns> = { [Name in keyof C]: C[Name]['value'] };

/** A model class, as the functions of this folder take it. */
export type Kind<
  Row extends Model = Model,
  C extends Columns = Columns,
  D extends Record<string, Derived> = Record<string, Derived>,
> = ModelStatic<Row> & { definition: Definition<C, D> };

/** Which row: its primary key, or what columns of it have to be. */
export type Key<V> = string | { [Name in keyof V]?: V[Name] | undefined };

/** Every model by its table, as the class that has the table's name: in its SQL a row goes by that. */
const models = new Map<string, Kind>();
export const allModels = (): readonly Kind[] => [...models.values()];
export const namedAsTable = ({ definition: { table } }: Kind): Kind => models.get(table) as Kind;

/** Something that answers show beside the columns. @param sql in which the row goes by the table's name */
export const derived = <Shown>(shown: z.ZodType<Shown>, sql: string): Derived<Shown> => ({ shown, sql });

/** @returns the class that a model extends, its attributes those of the columns */
// oxlint-disable-next-line typescript/no-generated-empty-object-type -- most models derive nothing
export function defineModel<C extends Columns, D extends Record<string, Derived> = Record<never, Derived>>(
  definition: Definition<C, D>,
): Kind<Model & Values<C>, C, D> {
  const { table, columns, constraints = {} } = definition;
  class Row extends Model {
    static readonly definition = definition;
  }
  Row.init(attributesOf(columns), { sequelize, tableName: table, modelName: table, timestamps: false });
  translateConstraints(constraints);
  models.set(table, Row);
  return Row as unknown as Kind<Model & Values<C>, C, D>;
}

function attributesOf(columns: Columns): ModelAttributes {
  const attributes = Object.entries(columns).map(([name, { facts }]) => [
    name,
    {
      type: facts.type,
      allowNull: facts.isNullable ?? false,
      ...(facts.isPrimaryKey && { primaryKey: true }),
      ...(facts.computed && { defaultValue: literal(facts.computed) }),
      ...(facts.default !== undefined && { defaultValue: facts.default }),
    },
  ]);
  return Object.fromEntries(attributes) as ModelAttributes;
}

/** Whose rows are meant: the open tenant's, where they are a tenant's. */
export const tenantOf = ({ columns }: Definition): { organization_id?: string } =>
  columns['organization_id']?.has('tenant') ? { organization_id: currentOrganization() } : {};

/** Which row is meant, as conditions on columns. */
export const whereOf = (kind: Kind, key: Key<object>): Record<string, unknown> => ({
  ...tenantOf(kind.definition),
  ...(typeof key === 'string' ? { [kind.primaryKeyAttribute]: key } : key),
});

/** What clients call a column. */
export const nameOutside = (name: string, { facts }: Column): string => facts.name ?? name;

/** What the table holds where nobody says anything, but for what is hidden. */
export const defaultsOf = ({ definition: { columns } }: { definition: Definition }): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(columns)
      .filter(([, column]) => !column.has('hidden'))
      .map(([name, { facts }]) => [name, facts.default ?? null]),
  );
