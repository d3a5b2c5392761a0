/**
 * Defines models. A table has a model if people create or change its rows, or if its rows have a lifecycle:
 *
 *     export class Region extends defineModel({
 *       table: 'regions',
 *       subject: 'region',
 *       columns: { ...tenantKeys, name: text(200), manager_id: link().as('manager').nullable(), ...stamps },
 *       constraints: { regions_name_unique: duplicateValue('name', 'Another region has this name.') },
 *     }) {}
 *
 * The columns (`columns.ts`) define the Postgres type, the client's input and the form in API responses. `change.ts`
 * creates, locks, edits and deletes rows, `read.ts` reads them in the form of API responses, and `schemas.ts` describes
 * them to the API. Some columns turn features on: `organization_id` makes a row belong to a tenant, `version` enables
 * optimistic locking. A test compares models with their tables.
 */
import { literal, Model, type ModelAttributes, type ModelStatic } from 'sequelize';
import type { z } from 'zod';
import type { Refusal } from '../../errors.js';
import { sequelize } from '../connection.js';
import { translateConstraints } from '../constraints.js';
import { currentOrganization } from '../rows.js';
import type { Column } from './columns.js';

export type Columns = Record<string, Column>;

/** A computed field of API responses. */
export interface Derived<Shown = unknown> {
  schema: z.ZodType<Shown>;
  /** SQL expression of the field. It refers to the row by the table's name. */
  sql: string;
}

export interface Definition<C extends Columns = Columns, D extends Record<string, Derived> = Record<string, Derived>> {
  table: string;
  /**
   * Name of the row's kind in the audit log. If it is absent, `change.ts` writes no audit entries: the row has no
   * tenant, needs no audit, or its operations write the entries themselves.
   */
  subject?: string;
  /** Column of the person whom the row is about. Audit values of the row are erased with this person. */
  person?: 'user_id' | 'membership_id';
  columns: C;
  derived?: D;
  /** Rule over several fields, checked when a row is created. Edits are checked by a constraint of the table. */
  rule?: { holds(row: Values<C>): boolean; field: keyof C & string; message: string };
  /** Effects of the table's triggers on other tables and workflows, by trigger (docs/developing/triggers.md). */
  triggers?: Record<string, readonly string[]>;
  /** Refusals for the table's constraints. */
  constraints?: Record<string, () => Refusal>;
}

/** The type of a row: each column with the type of its value. */
export type Values<C extends Columns> = { [Name in keyof C]: C[Name]['value'] };

/** A model class with its definition. */
export type Kind<
  Row extends Model = Model,
  C extends Columns = Columns,
  D extends Record<string, Derived> = Record<string, Derived>,
> = ModelStatic<Row> & { definition: Definition<C, D> };

/** Identifies a row by its primary key, or by column values. */
export type Key<V> = string | { [Name in keyof V]?: V[Name] | undefined };

/** Registry of all models, by table name. */
const models = new Map<string, Kind>();
export const allModels = (): readonly Kind[] => [...models.values()];
export const registeredModel = ({ definition: { table } }: Kind): Kind => models.get(table) as Kind;

/**
 * Declares a computed field of API responses.
 * @param sql SQL expression; it refers to the row by the table's name
 */
export const derived = <Shown>(schema: z.ZodType<Shown>, sql: string): Derived<Shown> => ({ schema, sql });

/** Returns the base class of a model, which has its columns as attributes. */
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

/** Returns the condition that limits a query to the current tenant; empty for tables without a tenant. */
export const tenantOf = ({ columns }: Definition): { organization_id?: string } =>
  columns['organization_id']?.has('tenant') ? { organization_id: currentOrganization() } : {};

/** Returns the conditions that identify a row, including the tenant. */
export const whereOf = (kind: Kind, key: Key<object>): Record<string, unknown> => ({
  ...tenantOf(kind.definition),
  ...(typeof key === 'string' ? { [kind.primaryKeyAttribute]: key } : key),
});

/** Name of a column in the API. */
export const apiNameOf = (name: string, { facts }: Column): string => facts.name ?? name;

/** Returns the default values of the columns that are not hidden. */
export const defaultsOf = ({ definition: { columns } }: { definition: Definition }): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(columns)
      .filter(([, column]) => !column.has('hidden'))
      .map(([name, { facts }]) => [name, facts.default ?? null]),
  );
