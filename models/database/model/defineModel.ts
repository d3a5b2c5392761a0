/**
 * Defines models. A table whose rows people create or change, or that has a lifecycle, has a model:
 *
 *     export class Region extends defineModel({
 *       table: 'regions',
 *       subject: 'region',
 *       columns: { ...tenantKeys, name: text(200), manager_id: link().as('manager').nullable(), ...stamps },
 *       constraints: { regions_name_unique: duplicateValue('name', 'Another region has this name.') },
 *     }) {}
 *
 * The columns (`columns.ts`) define the Postgres type, the client's input and the form in answers. `change.ts` creates,
 * locks, edits and deletes rows, `read.ts` reads them in the form of answers, and `schemas.ts` describes them to the
 * API. The columns decide about optional features: `organization_id` for rows of a tenant, `version` for optimistic
 * locking. A test compares models with their tables.
 */
import { literal, Model, type ModelAttributes, type ModelStatic } from 'sequelize';
import type { z } from 'zod';
import type { Refusal } from '../../errors.js';
import { sequelize } from '../connection.js';
import { translateConstraints } from '../constraints.js';
import { currentOrganization } from '../rows.js';
import type { Column } from './columns.js';

export type Columns = Record<string, Column>;

/** A computed field of answers. */
export interface Derived<Shown = unknown> {
  schema: z.ZodType<Shown>;
  /** SQL of the field; the row's alias is the table's name. */
  sql: string;
}

export interface Definition<C extends Columns = Columns, D extends Record<string, Derived> = Record<string, Derived>> {
  table: string;
  /**
   * Name in the audit log. Without it `change.ts` writes no audit entries: the row has no tenant, needs none, or its
   * operations write them.
   */
  subject?: string;
  /** Column that names the person whose data the audit values are; they are erased with the person. */
  person?: 'user_id' | 'membership_id';
  columns: C;
  derived?: D;
  /** Rule over several fields of a new row. For edits the table's constraint enforces it. */
  rule?: { holds(row: Values<C>): boolean; field: keyof C & string; message: string };
  /** Effects of the table's triggers on other tables and workflows, by trigger (docs/developing/triggers.md). */
  triggers?: Record<string, readonly string[]>;
  /** Refusals for the table's constraints. */
  constraints?: Record<string, () => Refusal>;
}

/** Attribute types of a row. */
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

/** Declares a computed field of answers. @param sql where the row's alias is the table's name */
export const derived = <Shown>(schema: z.ZodType<Shown>, sql: string): Derived<Shown> => ({ schema, sql });

/** @returns the base class of a model, with its columns as attributes */
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

/** Condition on the open tenant, for tenant tables. */
export const tenantOf = ({ columns }: Definition): { organization_id?: string } =>
  columns['organization_id']?.has('tenant') ? { organization_id: currentOrganization() } : {};

/** Conditions that identify a row. */
export const whereOf = (kind: Kind, key: Key<object>): Record<string, unknown> => ({
  ...tenantOf(kind.definition),
  ...(typeof key === 'string' ? { [kind.primaryKeyAttribute]: key } : key),
});

/** Name of a column in the API. */
export const apiNameOf = (name: string, { facts }: Column): string => facts.name ?? name;

/** Default values of the table's visible columns. */
export const defaultsOf = ({ definition: { columns } }: { definition: Definition }): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(columns)
      .filter(([, column]) => !column.has('hidden'))
      .map(([name, { facts }]) => [name, facts.default ?? null]),
  );
