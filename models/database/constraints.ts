/** Translates broken constraints to refusals for clients. */
import { Refusal, refuse } from '../errors.js';

type Translate = () => Refusal;
const translations = new Map<string, Translate>();

/** Registers an area's constraints by name, with the refusal of each. */
export function translateConstraints(table: Record<string, Translate>): void {
  for (const [name, translate] of Object.entries(table)) translations.set(name, translate);
}

interface DatabaseError {
  code?: string;
  constraint?: string;
}

/** Refusals by SQLSTATE, where the request rather than our code may be the cause. */
const BY_STATE: Record<string, Translate> = {
  // unique_violation
  '23505': () => refuse.duplicate(),
  // foreign_key_violation
  '23503': () => refuse.conflict('A referenced record does not exist, or this record is still in use.'),
  // restrict_violation: the row is append-only
  '23001': () => refuse.conflict('This record is permanent and cannot be changed.'),
  // exclusion_violation
  '23P01': () => refuse.conflict(),
  // check_violation of an unnamed rule
  '23514': () => refuse.unprocessable(),
  // string_data_right_truncation, numeric_value_out_of_range, datetime_field_overflow
  '22001': () => refuse.validation_error('A value is too long.'),
  '22003': () => refuse.validation_error('A number is too large.'),
  '22008': () => refuse.validation_error('A date is out of range.'),
  // serialization_failure, deadlock_detected: a concurrent transaction succeeded
  '40001': () => concurrentChange(),
  '40P01': () => concurrentChange(),
  // lock_not_available: a concurrent change holds the lock
  '55P03': () => refuse.locked(undefined, undefined, { 'Retry-After': '2' }),
  // query_canceled by a timeout
  '57014': () => unavailable(),
  // read_only_sql_transaction: a standby, or a server closed for writes
  '25006': () => unavailable(),
  // idle_in_transaction_session_timeout, transaction_timeout: the server ended it
  '25P03': () => unavailable(),
  '25P04': () => unavailable(),
};

const concurrentChange: Translate = () =>
  refuse.conflict('Another request changed the same data at the same time. Try again.', undefined, {
    'Retry-After': '1',
  });

const unavailable: Translate = () => refuse.unavailable(undefined, undefined, { 'Retry-After': '5' });

/** Postgres cancelled a statement that took too long. */
export const QUERY_CANCELED = '57014';

/** Classes 08 (connection), 53 (disk, memory or connections exhausted), 57P0 (shutting down), 58 (system error). */
const CONNECTION = /^(08|57P0|53|58)|ECONN|ETIMEDOUT|EPIPE|ENOTFOUND|EAI_AGAIN|E(HOST|NET)UNREACH/;

/** @returns whether the database did not answer in time: the statement's outcome is unknown */
export const hasNoAnswer = (error: unknown): boolean =>
  error instanceof Error && error.message === 'Query read timeout';

/**
 * Failures that a retry may resolve. Class 40 (deadlock, serialization), an unavailable lock, a statement or
 * transaction timeout, a server closed for writes.
 */
const TRANSIENT = /^(40|55P03$|57014$|25006$|25P0[34]$)/;

/** Whether a retry of the same work may succeed. */
export function isTransient(error: unknown): boolean {
  const cause = databaseError(error);
  return cause !== null && (TRANSIENT.test(cause.code ?? '') || isConnectionProblem(error, cause));
}

/** SQLSTATE of a Postgres error, or the driver's code. */
export const sqlStateOf = (error: unknown): string | undefined => databaseError(error)?.code;

/** @returns the refusal for a database error, or null when the error is a fault of our code */
export function translateDatabaseError(error: unknown): Refusal | null {
  const cause = databaseError(error);
  if (!cause) return null;
  const translate = cause.constraint ? translations.get(cause.constraint) : undefined;
  if (translate) return translate();
  const byState = cause.code === undefined ? undefined : BY_STATE[cause.code];
  if (byState) return byState();
  if (isConnectionProblem(error, cause)) return unavailable();
  return null;
}

function databaseError(error: unknown): DatabaseError | null {
  if (error === null || typeof error !== 'object') return null;
  const wrapped =
    (error as { original?: unknown; parent?: unknown }).original ?? (error as { parent?: unknown }).parent;
  return wrapped ?? error;
}

function isConnectionProblem(error: unknown, cause: DatabaseError): boolean {
  const { name = '', message = '' } = error as Partial<Error>;
  return (
    (cause.code !== undefined && CONNECTION.test(cause.code)) ||
    name.startsWith('SequelizeConnection') ||
    hasNoAnswer(error) ||
    /Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error/.test(
      message,
    )
  );
}
