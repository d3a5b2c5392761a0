/**
 * Rows that people create and edit: locked, compared with what the editor saw, changed, and written to the audit log. Rows of
 * an organization are the tenant's: row level security shows no others.
 */
import { isDeepStrictEqual } from 'node:util';
import { literal, type Model, type ModelStatic, Transaction, type WhereOptions } from 'sequelize';
import { found, refuse } from '../../errors.js';
import { audit } from '../audit.js';
import { firstRow } from '../rows.js';
import { type Columns, type Definition, type Key, type Kind, tenantOf, whereOf } from './defineModel.js';

/** The columns of a row. */
type Attributes<Row extends Model> = Omit<Row, keyof Model>;

/** Columns of a new row: those without a default that may not be NULL are required. */
export type New<C extends Columns> = {
  [Name in keyof C as 'needed' extends C[Name]['flags'] ? Told<C, Name> : never]: C[Name]['value'];
} & { [Name in keyof C as 'needed' extends C[Name]['flags'] ? never : Name]?: C[Name]['value'] | Computed | undefined };

/** The tenant is known. */
type Told<C extends Columns, Name extends keyof C> = 'tenant' extends C[Name]['flags'] ? never : Name;

/** Columns to set; those that are undefined stay. `version` is the one that the editor saw: without it the last one wins. */
export type Edit<Row extends Model> = { [Name in keyof Attributes<Row>]?: Attributes<Row>[Name] | undefined };

/** The same, where an operation lets Postgres compute a value. */
export type Change<Row extends Model> = {
  [Name in keyof Attributes<Row>]?: Attributes<Row>[Name] | Computed | undefined;
};

/** SQL of a value, in which the row goes by the table's name. */
export const computed = literal;
type Computed = ReturnType<typeof literal>;

/** A moment that Postgres computes, for a column. */
const momentOf = (sql: string): Date => literal(sql) as unknown as Date;

/** When the transaction began, by the database's clock. */
export const now = momentOf('now()');

/** So long after that. */
export const inSeconds = (seconds: number): Date => momentOf(`now() + ${seconds} * interval '1 second'`);

/** Loads a row for change, by its primary key or by what columns have to be; a second editor waits. @throws Refusal not_found */
export const lockRow = async <Row extends Model>(kind: Kind<Row>, key: Key<Attributes<Row>>): Promise<Row> =>
  found(await lockIfThere(kind, key));

/** The same, or null. */
export const lockIfThere = <Row extends Model>(kind: Kind<Row>, key: Key<Attributes<Row>>): Promise<Row | null> =>
  kind.findOne({ where: whereOf(kind, key) as WhereOptions, lock: Transaction.LOCK.NO_KEY_UPDATE });

/** The same, and nothing new refers to the row meanwhile: a payment to an invoice, a charge to a processor. */
export const holdRow = <Row extends Model>(kind: Kind<Row>, key: Key<Attributes<Row>>): Promise<Row | null> =>
  kind.findOne({ where: whereOf(kind, key) as WhereOptions, lock: Transaction.LOCK.UPDATE });

/** @param version that an editor saw; left out, the last one wins. @throws Refusal stale_version */
export function requireVersion(row: Model, version: number | undefined): void {
  if (version !== undefined && version !== row.get('version')) throw refuse.stale_version();
}

/** Inserts a row, and audits it. @throws Refusal as its constraints say */
export async function createRow<Row extends Model, C extends Columns>(
  kind: Kind<Row, C>,
  fields: New<C>,
): Promise<Row> {
  const row = await kind.create({ ...given(fields), ...tenantOf(kind.definition) } as never);
  await auditRow(row, 'created', { after: audited(kind.definition, row.get()) });
  return row;
}

/**
 * Changes a locked row, and audits the columns that differ, those too that the database changes along. Nothing differs:
 * nothing is written.
 * @param said what the log says beside them, a reason say
 * @returns the names of the changed columns
 * @throws Refusal stale_version
 */
export async function editRow<Row extends Model>(
  row: Row,
  edit: Change<Row>,
  said: Record<string, unknown> = {},
): Promise<string[]> {
  const { version, ...wanted } = given<{ version?: unknown }>(edit);
  requireVersion(row, version as number | undefined);
  const was: Record<string, unknown> = { ...row.get() };
  row.set(wanted);
  const set = new Set<string>(row.changed() || []);
  if (set.size === 0) return [];
  await row.save({ returning: true });
  const is: Record<string, unknown> = row.get();
  const definition = definitionOf(row);
  const changed = Object.keys(is).filter(
    (name) => set.has(name) || (!KEPT.has(name) && !isDeepStrictEqual(is[name], was[name])),
  );
  const pick = (state: Record<string, unknown>) => Object.fromEntries(changed.map((name) => [name, state[name]]));
  const after = { ...audited(definition, pick(is)), ...given(said) };
  await auditRow(row, 'updated', { before: audited(definition, pick(was)), after });
  return changed;
}

/**
 * Changes a row while it is as `key` says, in one statement: of two who find it so, one changes it. Writes nothing to the audit
 * log: its operation says what happened.
 * @returns the row as it is now; null where there is none such
 */
export async function changeRow<Row extends Model>(
  kind: Kind<Row>,
  key: Key<Attributes<Row>>,
  fields: Change<Row>,
): Promise<Row | null> {
  const options = { where: whereOf(kind, key) as WhereOptions, returning: true, validate: false } as const;
  const [, [row]] = await kind.update(given<object>(fields), options);
  return row ?? null;
}

/** Deletes a row that nothing depends on, and audits what it was. @throws Refusal not_found */
export async function removeRow<Row extends Model>(
  kind: Kind<Row>,
  key: Key<Attributes<Row>>,
  verb = 'deleted',
): Promise<Row> {
  // Sequelize would have to load it first.
  const wanted = Object.entries(whereOf(kind, key));
  const where = wanted.map(([name], n) => `${name} = $${n + 1}`).join(' AND ');
  const values = wanted.map(([, value]) => value);
  const deleted = await firstRow(`DELETE FROM ${kind.definition.table} WHERE ${where} RETURNING *`, values);
  const row = kind.build(found(deleted) as never, { raw: true, isNewRecord: false });
  await auditRow(row, verb, { before: audited(kind.definition, row.get()) });
  return row;
}

/** Without what is undefined. */
export const given = <Fields extends object>(fields: Fields) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [Name in keyof Fields]?: Exclude<Fields[Name], undefined>;
  };

const definitionOf = (row: Model): Definition => (row.constructor as unknown as Kind).definition;

/** Writes down what happened to a row of an organization that has a name in the audit log. */
async function auditRow(
  row: Model,
  verb: string,
  states: { before?: Record<string, unknown>; after?: Record<string, unknown> },
): Promise<void> {
  const { subject, person } = definitionOf(row);
  if (!subject) return;
  const { primaryKeyAttribute } = row.constructor as ModelStatic<Model>;
  const subjectId = row.get(primaryKeyAttribute) as string;
  await audit({ action: `${subject}.${verb}`, subjectType: subject, subjectId, ...personIn(row, person), ...states });
}

const personIn = (row: Model, column: Definition['person']) =>
  column === undefined
    ? {}
    : {
        person:
          column === 'user_id' ? { userId: row.get(column) as string } : { membershipId: row.get(column) as string },
      };

/** What the audit log keeps of a row: neither secrets nor what the database keeps of every row. */
const audited = ({ columns }: Definition, state: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(state)
      .filter(([name]) => name in columns && !columns[name]?.has('hidden') && !KEPT.has(name))
      .map(([name, value]) => [name, columns[name]?.has('unlogged') ? null : value]),
  );

const KEPT = new Set(['organization_id', 'version', 'created_at', 'updated_at']);
