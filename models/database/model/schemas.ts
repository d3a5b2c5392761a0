/** API schemas of a model's rows: bodies that create and edit one, and its form in answers. */
import type { Model } from 'sequelize';
import { z } from 'zod';
import { seenVersion } from '../../fields.js';
import type { Column, Flag } from './columns.js';
import { type Columns, type Definition, type Derived, type Kind, nameOutside, type Values } from './defineModel.js';

/** API name of a column; never for columns with an excluded flag. */
type Outside<Name, C extends Column, Kept> =
  Extract<C['flags'], Kept> extends never ? ([C['name']] extends [never] ? Name : C['name']) : never;

type Field<Value> = z.ZodType<Value, Value>;

type CreateShape<C extends Columns> = {
  [Name in keyof C as Outside<Name, C[Name], 'kept'>]: 'needed' extends C[Name]['flags']
    ? Field<C[Name]['value']>
    : 'filled' extends C[Name]['flags']
      ? z.ZodDefault<Field<C[Name]['value']>>
      : z.ZodOptional<Field<C[Name]['value']>>;
};

type EditShape<C extends Columns> = {
  [Name in keyof C as Outside<Name, C[Name], 'kept' | 'fixed'>]: z.ZodOptional<Field<C[Name]['value']>>;
} & { version: typeof seenVersion };

/** Timestamps are text in JSON. */
type InJson<Value> = Value extends Date ? string : Value;

export type JsonShape<C extends Columns, D extends Record<string, Derived>> = {
  [Name in keyof C as Outside<Name, C[Name], 'hidden'>]: Field<InJson<C[Name]['value']>>;
} & { [Name in keyof D]: D[Name]['shown'] };

/** Body that creates a row: columns without default that may not be NULL are required. */
export function createBody<C extends Columns>(of: Kind<Model, C>): z.ZodObject<CreateShape<C>> {
  const fields = fieldsOf(of.definition.columns, ['kept'], ({ facts }) => {
    const given = facts.isNullable ? facts.given.nullable() : facts.given;
    if (facts.default !== undefined) return given.default(facts.default);
    return facts.isNullable ? given.optional() : given;
  });
  const { rule } = of.definition;
  const body = z.object(fields);
  const ruled = rule
    ? body.refine((given) => rule.holds(given as Values<C>), { path: [rule.field], message: rule.message })
    : body;
  return ruled.meta({ id: `${of.name}Create` }) as unknown as z.ZodObject<CreateShape<C>>;
}

/** Body that edits a row; every field is optional. */
export function editBody<C extends Columns>(of: Kind<Model, C>): z.ZodObject<EditShape<C>> {
  const fields = fieldsOf(of.definition.columns, ['kept', 'fixed'], ({ facts }) =>
    (facts.isNullable ? facts.given.nullable() : facts.given).optional(),
  );
  const body = z.object({ ...fields, version: seenVersion }).meta({ id: `${of.name}Edit` });
  return body as unknown as z.ZodObject<EditShape<C>>;
}

/** Cached, so that the API documentation has each schema once. */
const answers = new WeakMap<Definition, z.ZodObject>();

/** Schema of a row in an answer. */
export function rowJson<C extends Columns, D extends Record<string, Derived>>(
  of: Kind<Model, C, D>,
): z.ZodObject<JsonShape<C, D>> {
  const known = answers.get(of.definition) ?? describeRow(of);
  answers.set(of.definition, known);
  return known as unknown as z.ZodObject<JsonShape<C, D>>;
}

function describeRow(of: Kind): z.ZodObject {
  const { columns, derived = {} } = of.definition;
  const fields = fieldsOf(columns, ['hidden'], ({ facts }) =>
    facts.isNullable ? facts.shown.nullable() : facts.shown,
  );
  const more = Object.entries(derived).map(([name, { shown }]) => [name, shown]);
  return z.object({ ...fields, ...Object.fromEntries(more) }).meta({ id: of.name });
}

/** API names of columns. */
export type OutsideNames<C extends Columns> = { [Name in keyof C & string]: Outside<Name, C[Name], 'hidden'> }[keyof C &
  string];

/** Query fields that filter by column value. */
export function filterFields(of: Kind, names: readonly string[]): Record<string, z.ZodOptional> {
  const fields = fieldsOf(of.definition.columns, ['hidden'], ({ facts }) => facts.given.optional());
  return Object.fromEntries(names.map((name) => [name, fields[name] as z.ZodOptional]));
}

/** One field per column, by API name, without columns that have one of these flags. */
function fieldsOf(columns: Columns, without: Flag[], field: (column: Column) => z.ZodType): Record<string, z.ZodType> {
  const shown = Object.entries(columns).filter(([, column]) => !without.some((flag) => column.has(flag)));
  const fields = shown.map(([name, column]) => {
    const schema = field(column);
    return [nameOutside(name, column), column.facts.meta ? schema.meta(column.facts.meta) : schema];
  });
  return Object.fromEntries(fields) as Record<string, z.ZodType>;
}

type InColumns<C extends Columns, Body> = {
  [Name in keyof C as Outside<Name, C[Name], never> extends keyof Body ? Name : never]: Body[Outside<
    Name,
    C[Name],
    never
  > &
    keyof Body];
};

/** Fields that clients may change, by API name. */
export type Editable<K> = K extends { definition: { columns: infer C extends Columns } }
  ? { [Name in keyof C as Outside<Name, C[Name], 'kept' | 'fixed'>]: C[Name]['value'] }
  : never;

/** Current values of the fields that clients may change. */
export function editable<K extends Kind>({ definition }: K, row: Model): Editable<K> {
  const columns = Object.entries(definition.columns).filter(
    ([, column]) => !column.has('kept') && !column.has('fixed'),
  );
  const stands = columns.map(([name, column]) => [nameOutside(name, column), row.get(name)]);
  return Object.fromEntries(stands) as Editable<K>;
}

/** Maps a body to columns: `region` of the body is `region_id` of the row. Other fields are dropped. */
export function toColumns<C extends Columns, Body extends object>(of: Kind<Model, C>, body: Body): InColumns<C, Body> {
  const names = Object.entries<Column>(of.definition.columns).map(([name, column]) => [
    nameOutside(name, column),
    name,
  ]);
  const inside = Object.fromEntries(names) as Record<string, string>;
  const known = Object.entries(body).filter(([name]) => name in inside);
  return Object.fromEntries(known.map(([name, value]) => [inside[name], value])) as InColumns<C, Body>;
}
