/**
 * Reads the forms that identity providers let a browser post to us. They are exempt from the JSON and Origin rules,
 * because they are signed.
 */
import type { RequestFacts } from '../../../http/routes.js';
import { refuse } from '../../../../models/errors.js';

/** Maximum size of a form, larger than any legitimate response: with dozens of groups, responses have about 30 kB. */
const MAX_FORM_BYTES = 262_144;

/**
 * Reads a form.
 * @returns the fields; a field that occurs twice is left out
 * @throws Refusal 413, 415
 */
export function readForm({ raw }: RequestFacts, maxBytes = MAX_FORM_BYTES): Map<string, string> {
  const bytes: unknown = raw.body;
  if (!raw.is('application/x-www-form-urlencoded')) {
    throw refuse.unsupported_media_type('Send application/x-www-form-urlencoded.');
  }
  if (!Buffer.isBuffer(bytes)) return new Map();
  if (bytes.length > maxBytes) throw refuse.body_too_large();
  const fields = new URLSearchParams(bytes.toString('latin1'));
  const single = [...new Set(fields.keys())].filter((name) => fields.getAll(name).length === 1);
  return new Map(single.map((name) => [name, fields.get(name) ?? '']));
}
