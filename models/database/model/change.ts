/**
 * Creates, edits and deletes rows: locks them, compares the version that the editor saw, writes the change and the
 * audit log. Row level security limits this to the tenant's rows.
 */
import { isDeepStrictEqual } from 'node:util';
import { literal, type Model, type ModelStatic, Transaction, type WhereOptions } from 'sequelize';
import { requireFound, refuse } from '../../errors.js';
import { audit } from '../audit.js';
import { firstRow } from '../rows.js';
import { type Columns, type Definition, type Key, type Kind, tenantOf, whereOf } from './defineModel.js';

/** The attributes of a row, without the methods of the model. */
type Attributes<Row extends Model> = Omit<Row, keyof Model>;

/** Columns of a new row. A column is required if it has no default and may not be NULL. */
export type NewRow<C extends Columns> = {
  [Name in keyof C as 'required' extends C[Name]['flags'] ? RequiredName<C, Name> : never]: C[Name]['value'];
} & {
  [Name in keyof C as 'required' extends C[Name]['flags'] ? never : Name]?: C[Name]['value'] | Computed | undefined;
};

/** Names of the required columns, except the tenant column, which is set from the current transaction. */
type RequiredName<C extends Columns, Name extends keyof C> = 'tenant' extends C[Name]['flags'] ? never : Name;

/**
 * Columns to set; columns that are undefined or absent keep their value. `version` is the version that the editor saw
 * (optimistic locking); without it the last write wins.
 */
export type Edit<Row extends Model> = { [Name in keyof Attributes<Row>]?: Attributes<Row>[Name] | undefined };

/** An edit whose values may also be SQL that Postgres computes. */
export type Change<Row extends Model> = {
  [Name in keyof Attributes<Row>]?: Attributes<Row>[Name] | Computed | undefined;
};

/** Makes a value from an SQL expression. The expression refers to the row by the table's name. */
export const computed = literal;
type Computed = ReturnType<typeof literal>;

/** A timestamp that Postgres computes from an SQL expression. */
const timestampOf = (sql: string): Date => literal(sql) as unknown as Date;

/** When the transaction began, by the database's clock. */
export const now = timestampOf('now()');

/** A time some seconds after the start of the transaction. */
export const inSeconds = (seconds: number): Date => timestampOf(`now() + ${seconds} * interval '1 second'`);

/**
 * Loads and locks a row for an edit (FOR NO KEY UPDATE), by primary key or by column values; a second editor waits.
 * @throws Refusal not_found
 */
export const lockForEdit = async <Row extends Model>(kind: Kind<Row>, key: Key<Attributes<Row>>): Promise<Row> =>
  requireFound(await lockForEditIfExists(kind, key));

/** Loads and locks a row for an edit, or returns null. */
export const lockForEditIfExists = <Row extends Model>(
  kind: Kind<Row>,
  key: Key<Attributes<Row>>,
): Promise<Row | null> =>
  kind.findOne({ where: whereOf(kind, key) as WhereOptions, lock: Transaction.LOCK.NO_KEY_UPDATE });

/**
 * Loads and locks a row exclusively (FOR UPDATE), or returns null. While it is locked, other transactions cannot insert
 * rows that refer to it, for example a payment of an invoice.
 */
export const lockExclusive = <Row extends Model>(kind: Kind<Row>, key: Key<Attributes<Row>>): Promise<Row | null> =>
  kind.findOne({ where: whereOf(kind, key) as WhereOptions, lock: Transaction.LOCK.UPDATE });

/**
 * Requires that the editor saw the row's current version (optimistic locking).
 * @param version the version that the editor saw; without it the check is skipped and the last write wins
 * @throws Refusal stale_version
 */
export function requireVersion(row: Model, version: number | undefined): void {
  if (version !== undefined && version !== row.get('version')) throw refuse.stale_version();
}

/**
 * Inserts a row and writes the audit log.
 * @throws the refusal of a violated constraint
 */
export async function createRow<Row extends Model, C extends Columns>(
  kind: Kind<Row, C>,
  fields: NewRow<C>,
): Promise<Row> {
  const values = { ...withoutUndefined(fields), ...tenantOf(kind.definition) };
  // The table's own defaults fill the other columns, for which the runtime role may lack the privilege.
  const row = await kind.create(values as never, { fields: Object.keys(values) as never });
  await auditRow(row, 'created', { after: audited(kind.definition, row.get()) });
  return row;
}

/**
 * Edits a locked row, and writes all changed columns to the audit log, including those that triggers changed. Does
 * nothing if the edit changes no value.
 */
export async function editRow<Row extends Model>(
  row: Row,
  edit: Change<Row>,
  extra: Record<string, unknown> = {},
): Promise<string[]> {
  const { version, ...wanted } = withoutUndefined<{ version?: unknown }>(edit);
  requireVersion(row, version as number | undefined);
  const previous: Record<string, unknown> = { ...row.get() };
  row.set(wanted);
  const set = new Set<string>(row.changed() || []);
  if (set.size === 0) return [];
  await row.save({ returning: true });
  const current: Record<string, unknown> = row.get();
  const definition = definitionOf(row);
  const changed = Object.keys(current).filter(
    (name) => set.has(name) || (!AUTOMATIC_COLUMNS.has(name) && !isDeepStrictEqual(current[name], previous[name])),
  );
  const pick = (state: Record<string, unknown>) => Object.fromEntries(changed.map((name) => [name, state[name]]));
  const after = { ...audited(definition, pick(current)), ...withoutUndefined(extra) };
  await auditRow(row, 'updated', { before: audited(definition, pick(previous)), after });
  return changed;
}

/**
 * Updates the row that matches `key`, in one statement. If the change makes the row stop matching `key`, only one of
 * two concurrent calls succeeds, and the other one returns null. Writes no audit log; the caller does that.
 */
export async function changeRow<Row extends Model>(
  kind: Kind<Row>,
  key: Key<Attributes<Row>>,
  fields: Change<Row>,
): Promise<Row | null> {
  const options = { where: whereOf(kind, key) as WhereOptions, returning: true, validate: false } as const;
  const [, [row]] = await kind.update(withoutUndefined<object>(fields), options);
  return row ?? null;
}

/**
 * Deletes a row to which no other row refers, and writes its last state to the audit log.
 * @throws Refusal not_found
 */
export async function removeRow<Row extends Model>(
  kind: Kind<Row>,
  key: Key<Attributes<Row>>,
  verb = 'deleted',
): Promise<Row> {
  // Plain SQL, because Sequelize would have to load the row first.
  const wanted = Object.entries(whereOf(kind, key));
  const where = wanted.map(([name], n) => `${name} = $${n + 1}`).join(' AND ');
  const values = wanted.map(([, value]) => value);
  const deleted = await firstRow(`DELETE FROM ${kind.definition.table} WHERE ${where} RETURNING *`, values);
  const row = kind.build(requireFound(deleted) as never, { raw: true, isNewRecord: false });
  await auditRow(row, verb, { before: audited(kind.definition, row.get()) });
  return row;
}

/** Copies an object without its undefined values. */
export const withoutUndefined = <Fields extends object>(fields: Fields) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [Name in keyof Fields]?: Exclude<Fields[Name], undefined>;
  };

const definitionOf = (row: Model): Definition => (row.constructor as unknown as Kind).definition;

/** Writes an audit log entry for a row, if its model has a subject. */
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

/** Returns the columns for the audit log, without secrets and automatic columns. */
const audited = ({ columns }: Definition, state: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(state)
      .filter(([name]) => name in columns && !columns[name]?.has('hidden') && !AUTOMATIC_COLUMNS.has(name))
      .map(([name, value]) => [name, columns[name]?.has('unlogged') ? null : value]),
  );

const AUTOMATIC_COLUMNS = new Set(['organization_id', 'version', 'created_at', 'updated_at']);
