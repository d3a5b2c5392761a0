/** Validates values against schemas and names each fault. */
import { z } from 'zod';
import { type FieldErrors, refuse } from '../../models/errors.js';
import { validationMessage } from '../../models/validationMessages.js';

/** Maximum depth of a value, deeper than any schema. Beyond it, code that walks a value would overflow the stack. */
const MAX_DEPTH = 40;

/** Maximum number of problems in a response; more would not help the client. */
const MAX_PROBLEMS = 100;

/**
 * Validates a value and returns it in the form of the schema's output.
 * @param unknown message for a field that the schema does not have
 * @throws Refusal validation_error
 */
export function validate<S extends z.ZodType>(schema: S, value: unknown, unknown = 'Unknown field.'): z.output<S> {
  const unusable = findUnusable(value, []);
  if (unusable) throw refuse.validation_error(undefined, fieldMap([unusable]));
  const parsed = strict(schema).safeParse(value, { error: validationMessage });
  if (!parsed.success) throw refuse.validation_error(undefined, fieldMap(problems(parsed.error, unknown)));
  return parsed.data as z.output<S>;
}

const strictSchemas = new WeakMap<z.ZodType, z.ZodType>();

/** Refuses unknown fields at the top level, also where the schema allows them. */
function strict(schema: z.ZodType): z.ZodType {
  // Cached: zod compiles a schema when it is first used.
  const strictSchema = strictSchemas.get(schema) ?? (schema instanceof z.ZodObject ? schema.strict() : schema);
  strictSchemas.set(schema, strictSchema);
  return strictSchema;
}

type Problem = [field: string, message: string];

const nameOf = (path: PropertyKey[]): string => path.map(String).join('.') || 'body';

function problems(error: z.ZodError, unknown: string): Problem[] {
  return error.issues.slice(0, MAX_PROBLEMS).flatMap((issue, at, all): Problem[] => {
    if (issue.code === 'unrecognized_keys') return issue.keys.map((key) => [nameOf([...issue.path, key]), unknown]);
    // A number that violates two bounds causes two successive errors for its field. Only the last one is kept, because
    // it names the narrower bound.
    const next = all[at + 1];
    if (next?.code === issue.code && nameOf(next.path) === nameOf(issue.path)) return [];
    return [[nameOf(issue.path), issue.message]];
  });
}

/**
 * Groups the messages by field. The result has no prototype, because fields may be called `constructor` or `__proto__`.
 */
function fieldMap(list: Problem[]): FieldErrors {
  const errors = Object.create(null) as FieldErrors;
  for (const [field, message] of list) (errors[field] ??= []).push(message);
  return errors;
}

/** Finds values that Postgres cannot store or that are too deep to walk. */
function findUnusable(value: unknown, path: string[]): Problem | null {
  if (typeof value === 'string') return unusableText(value, path);
  if (value === null || typeof value !== 'object') return null;
  if (path.length >= MAX_DEPTH) return [path[0] ?? 'body', 'Nested too deeply.'];
  for (const [key, inner] of Object.entries(value)) {
    const problem = unusableText(key, path) ?? findUnusable(inner, [...path, key]);
    if (problem) return problem;
  }
  return null;
}

function unusableText(text: string, path: string[]): Problem | null {
  if (text.includes('\0')) return [nameOf(path), 'Must not contain NUL characters.'];
  return /\p{Surrogate}/u.test(text) ? [nameOf(path), 'Must be valid Unicode.'] : null;
}
