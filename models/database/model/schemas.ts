/** API schemas of a model's rows: the bodies of requests that create or edit a row, and the row in responses. */
import type { Model } from 'sequelize';
import { z } from 'zod';
import { seenVersion } from '../../fields.js';
import type { Column, Flag } from './columns.js';
import { type Columns, type Definition, type Derived, type Kind, apiNameOf, type Values } from './defineModel.js';

/** API name of a column, or never when the column has an excluded flag. */
type ApiName<Name, C extends Column, ExcludedFlags> =
  Extract<C['flags'], ExcludedFlags> extends never ? ([C['name']] extends [never] ? Name : C['name']) : never;

type Field<Value> = z.ZodType<Value, Value>;

type CreateShape<C extends Columns> = {
  [Name in keyof C as ApiName<Name, C[Name], 'serverSet'>]: 'required' extends C[Name]['flags']
    ? Field<C[Name]['value']>
    : 'hasDefault' extends C[Name]['flags']
      ? z.ZodDefault<Field<C[Name]['value']>>
      : z.ZodOptional<Field<C[Name]['value']>>;
};

type EditShape<C extends Columns> = {
  [Name in keyof C as ApiName<Name, C[Name], 'serverSet' | 'fixed'>]: z.ZodOptional<Field<C[Name]['value']>>;
} & { version: typeof seenVersion };

/** Timestamps are text in JSON. */
type InJson<Value> = Value extends Date ? string : Value;

export type JsonShape<C extends Columns, D extends Record<string, Derived>> = {
  [Name in keyof C as ApiName<Name, C[Name], 'hidden'>]: Field<InJson<C[Name]['value']>>;
} & { [Name in keyof D]: D[Name]['schema'] };

/** Returns the schema of the body that creates a row. A column is required if it has no default and may not be NULL. */
export function createBody<C extends Columns>(kind: Kind<Model, C>): z.ZodObject<CreateShape<C>> {
  const fields = fieldsOf(kind.definition.columns, ['serverSet'], ({ facts }) => {
    const input = facts.isNullable ? facts.input.nullable() : facts.input;
    if (facts.default !== undefined) return input.default(facts.default);
    return facts.isNullable ? input.optional() : input;
  });
  const { rule } = kind.definition;
  const body = z.object(fields);
  const bodyWithRule = rule
    ? body.refine((value) => rule.holds(value as Values<C>), { path: [rule.field], message: rule.message })
    : body;
  return bodyWithRule.meta({ id: `${kind.name}Create` }) as unknown as z.ZodObject<CreateShape<C>>;
}

/** Returns the schema of the body that edits a row; every field is optional. */
export function editBody<C extends Columns>(kind: Kind<Model, C>): z.ZodObject<EditShape<C>> {
  const fields = fieldsOf(kind.definition.columns, ['serverSet', 'fixed'], ({ facts }) =>
    (facts.isNullable ? facts.input.nullable() : facts.input).optional(),
  );
  const body = z.object({ ...fields, version: seenVersion }).meta({ id: `${kind.name}Edit` });
  return body as unknown as z.ZodObject<EditShape<C>>;
}

/** Caches the schema of each model, so that the API documentation contains it only once. */
const answerSchemas = new WeakMap<Definition, z.ZodObject>();

/** Returns the schema of a row in API responses. */
export function rowJson<C extends Columns, D extends Record<string, Derived>>(
  kind: Kind<Model, C, D>,
): z.ZodObject<JsonShape<C, D>> {
  const schema = answerSchemas.get(kind.definition) ?? describeRow(kind);
  answerSchemas.set(kind.definition, schema);
  return schema as unknown as z.ZodObject<JsonShape<C, D>>;
}

function describeRow(kind: Kind): z.ZodObject {
  const { columns, derived = {} } = kind.definition;
  const fields = fieldsOf(columns, ['hidden'], ({ facts }) =>
    facts.isNullable ? facts.output.nullable() : facts.output,
  );
  const derivedFields = Object.entries(derived).map(([name, { schema }]) => [name, schema]);
  return z.object({ ...fields, ...Object.fromEntries(derivedFields) }).meta({ id: kind.name });
}

/** API names of columns. */
export type ApiNames<C extends Columns> = { [Name in keyof C & string]: ApiName<Name, C[Name], 'hidden'> }[keyof C &
  string];

/** Returns query fields that filter by column value. */
export function filterFields(kind: Kind, names: readonly string[]): Record<string, z.ZodOptional> {
  const fields = fieldsOf(kind.definition.columns, ['hidden'], ({ facts }) => facts.input.optional());
  return Object.fromEntries(names.map((name) => [name, fields[name] as z.ZodOptional]));
}

/**
 * Builds one schema field per column, keyed by API name. Leaves out columns that have one of the flags in `without`.
 */
function fieldsOf(columns: Columns, without: Flag[], field: (column: Column) => z.ZodType): Record<string, z.ZodType> {
  const included = Object.entries(columns).filter(([, column]) => !without.some((flag) => column.has(flag)));
  const fields = included.map(([name, column]) => {
    const schema = field(column);
    return [apiNameOf(name, column), column.facts.meta ? schema.meta(column.facts.meta) : schema];
  });
  return Object.fromEntries(fields) as Record<string, z.ZodType>;
}

type InColumns<C extends Columns, Body> = {
  [Name in keyof C as ApiName<Name, C[Name], never> extends keyof Body ? Name : never]: Body[ApiName<
    Name,
    C[Name],
    never
  > &
    keyof Body];
};

/** Fields that clients may change, by API name. */
export type Editable<K> = K extends { definition: { columns: infer C extends Columns } }
  ? { [Name in keyof C as ApiName<Name, C[Name], 'serverSet' | 'fixed'>]: C[Name]['value'] }
  : never;

/** Returns the current values of the fields that clients may change. */
export function editable<K extends Kind>({ definition }: K, row: Model): Editable<K> {
  const columns = Object.entries(definition.columns).filter(
    ([, column]) => !column.has('serverSet') && !column.has('fixed'),
  );
  const values = columns.map(([name, column]) => [apiNameOf(name, column), row.get(name)]);
  return Object.fromEntries(values) as Editable<K>;
}

/**
 * Maps the fields of a request body to columns, for example `region` to `region_id`. Drops fields that are no columns.
 */
export function toColumns<C extends Columns, Body extends object>(
  kind: Kind<Model, C>,
  body: Body,
): InColumns<C, Body> {
  const names = Object.entries<Column>(kind.definition.columns).map(([name, column]) => [
    apiNameOf(name, column),
    name,
  ]);
  const columnByApiName = Object.fromEntries(names) as Record<string, string>;
  const mapped = Object.entries(body).filter(([name]) => name in columnByApiName);
  return Object.fromEntries(mapped.map(([name, value]) => [columnByApiName[name], value])) as InColumns<C, Body>;
}
