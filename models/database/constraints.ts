/** Translates database errors, such as violated constraints, to refusals for clients. */
import { Refusal, refuse } from '../errors.js';

type Translate = () => Refusal;
const translations = new Map<string, Translate>();

/** Registers the refusals into which violations of the named constraints are translated. */
export function translateConstraints(table: Record<string, Translate>): void {
  for (const [name, translate] of Object.entries(table)) translations.set(name, translate);
}

interface DatabaseError {
  code?: string;
  constraint?: string;
}

/** Refusals by SQLSTATE. States that only a fault of our code can cause are not listed. */
const BY_STATE: Record<string, Translate> = {
  // unique_violation
  '23505': () => refuse.duplicate(),
  // foreign_key_violation
  '23503': () =>
    refuse.conflict(
      'A record that this request refers to does not exist, or other records still use the record that you want to delete.',
    ),
  // restrict_violation: the row is append-only
  '23001': () => refuse.conflict('This record is permanent and cannot be changed.'),
  // exclusion_violation
  '23P01': () => refuse.conflict(),
  // check_violation of a constraint without a refusal of its own
  '23514': () => refuse.unprocessable(),
  // string_data_right_truncation, numeric_value_out_of_range, datetime_field_overflow
  '22001': () => refuse.validation_error('A text in this request is too long. Send a shorter one.'),
  '22003': () => refuse.validation_error('A number in this request is too large or too small. Correct it.'),
  '22008': () =>
    refuse.validation_error(
      'A date or time in this request does not exist, or is too far in the past or future. Correct it.',
    ),
  // serialization_failure and deadlock_detected: this transaction lost against a concurrent one.
  '40001': () => concurrentChange(),
  '40P01': () => concurrentChange(),
  // lock_not_available: a concurrent transaction held the lock for too long.
  '55P03': () => refuse.locked(undefined, undefined, { 'Retry-After': '2' }),
  // query_canceled by a timeout
  '57014': () => unavailable(),
  // read_only_sql_transaction: the server is a standby, or accepts no writes at the moment.
  '25006': () => unavailable(),
  // idle_in_transaction_session_timeout and transaction_timeout: the server ended the transaction.
  '25P03': () => unavailable(),
  '25P04': () => unavailable(),
};

const concurrentChange: Translate = () =>
  refuse.conflict('Another request changed the same data at the same time. Try again.', undefined, {
    'Retry-After': '1',
  });

const unavailable: Translate = () => refuse.unavailable(undefined, undefined, { 'Retry-After': '5' });

/** SQLSTATE of a statement that Postgres cancelled because it took too long. */
export const QUERY_CANCELED = '57014';

/**
 * Matches connection problems. SQLSTATE classes: 08 (connection), 53 (disk, memory or connections exhausted), 57P0
 * (shutting down), 58 (system error).
 */
const CONNECTION = /^(08|57P0|53|58)|ECONN|ETIMEDOUT|EPIPE|ENOTFOUND|EAI_AGAIN|E(HOST|NET)UNREACH/;

/** Reports whether the database did not answer in time, so that it is unknown whether the statement took effect. */
export const hasNoAnswer = (error: unknown): boolean =>
  error instanceof Error && error.message === 'Query read timeout';

/**
 * Matches SQLSTATEs of failures that a retry may resolve: class 40 (deadlock, serialization), an unavailable lock, a
 * statement or transaction timeout, a server closed for writes.
 */
const TRANSIENT = /^(40|55P03$|57014$|25006$|25P0[34]$)/;

/** Whether a retry of the same work may succeed. */
export function isTransient(error: unknown): boolean {
  const cause = databaseError(error);
  return cause !== null && (TRANSIENT.test(cause.code ?? '') || isConnectionProblem(error, cause));
}

/** SQLSTATE of a Postgres error, or the driver's code. */
export const sqlStateOf = (error: unknown): string | undefined => databaseError(error)?.code;

/**
 * Translates a database error.
 * @returns the refusal for clients, or null when the error is a fault of our code
 */
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
