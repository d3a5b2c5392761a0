/** What a broken constraint means to a client. Constraints hold the rules; this gives them words. */
import { Refusal, refuse } from '../errors.js';

type Translate = () => Refusal;
const translations = new Map<string, Translate>();

/** An area's constraints, by name, and the refusal each stands for. */
export function translateConstraints(table: Record<string, Translate>): void {
  for (const [name, translate] of Object.entries(table)) translations.set(name, translate);
}

interface DatabaseError {
  code?: string;
  constraint?: string;
}

const UNIQUE_VIOLATION = '23505';
const REFERENCE_VIOLATION = '23503';
const CONNECTION = /^(08|57P0|53)|ECONN|ETIMEDOUT|EPIPE|ENOTFOUND/;

/** @returns the refusal that a database error stands for, or null when it is our own mistake */
export function translateDatabaseError(error: unknown): Refusal | null {
  const cause = databaseError(error);
  if (!cause) return null;
  const known = cause.constraint ? translations.get(cause.constraint) : undefined;
  if (known) return known();
  if (cause.code === UNIQUE_VIOLATION) return refuse.duplicate();
  if (cause.code === REFERENCE_VIOLATION) return refuse.conflict('Something that this refers to is not there, or is still in use.');
  if (isConnectionProblem(error, cause)) return refuse.unavailable(undefined, undefined, { 'Retry-After': '5' });
  return null;
}

function databaseError(error: unknown): DatabaseError | null {
  if (!(error instanceof Error)) return null;
  const wrapped = (error as { original?: unknown; parent?: unknown }).original ?? (error as { parent?: unknown }).parent;
  return (wrapped ?? error) as DatabaseError;
}

function isConnectionProblem(error: unknown, cause: DatabaseError): boolean {
  const { name, message } = error as Error;
  return (
    (cause.code !== undefined && CONNECTION.test(cause.code)) ||
    name.startsWith('SequelizeConnection') ||
    /Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error/.test(message)
  );
}
