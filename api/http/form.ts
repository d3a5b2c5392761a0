/** Reads forms that browsers send, URL-encoded. Routes receive them as raw bodies. */
import { refuse } from '../../models/errors.js';
import type { RequestFacts } from './routes.js';

/**
 * Reads a form.
 * @returns the fields; a field that occurs twice is left out
 * @throws Refusal 413, 415
 */
export function readForm({ raw }: RequestFacts, maxBytes: number): Map<string, string> {
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
