/** Default validation messages, where the schema has none. */
import type { z } from 'zod';

const TYPES: Record<string, string> = {
  string: 'Must be a text.',
  number: 'Must be a number.',
  int: 'Must be a whole number.',
  boolean: 'Must be true or false.',
  array: 'Must be a list.',
  object: 'Must be an object.',
  record: 'Must be an object.',
  date: 'Must be a date.',
};

const FORMATS: Record<string, string> = {
  uuid: 'Must be a UUID.',
  email: 'Must be an e-mail address.',
  url: 'Must be a URL.',
  date: 'Must be a date, as YYYY-MM-DD.',
  datetime: 'Must be a time in ISO 8601, with its zone.',
  safeint: 'Must be a whole number.',
};

/** Returns the message for one issue. If the result is an empty text, the library's own message is used. */
export function validationMessage(issue: z.core.$ZodRawIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined ? 'Required.' : (TYPES[String(issue.expected)] ?? 'Has the wrong type.');
    case 'invalid_format':
      return FORMATS[String(issue.format)] ?? 'Has the wrong format.';
    case 'invalid_value':
      return `Must be ${(issue.values as unknown[]).length > 1 ? 'one of ' : ''}${(issue.values as unknown[]).join(', ')}.`;
    case 'too_small':
      return boundMessage(issue.origin, issue.minimum, issue.inclusive === false ? 'more than' : 'at least');
    case 'too_big':
      return boundMessage(issue.origin, issue.maximum, issue.inclusive === false ? 'less than' : 'at most');
    default:
      return 'Is not valid.';
  }
}

function boundMessage(origin: unknown, limit: unknown, words: string): string {
  if (origin === 'string')
    return words === 'at least' && limit === 1
      ? 'Must not be empty.'
      : `Must have ${words} ${String(limit)} characters.`;
  if (origin === 'array') return `Must have ${words} ${String(limit)} entries.`;
  return `Must be ${words} ${String(limit)}.`;
}
