/** Forms that identity providers have a browser post to us. Exempt from the JSON and Origin rules: they are signed. */
import type { RequestFacts } from '../../../http/routes.js';
import { refuse } from '../../../../models/errors.js';

/** Larger than any response that is not an attack: with dozens of groups they have some 30 kB. */
const LARGEST_FORM_BYTES = 262_144;

/** @returns the fields; of one that is there twice neither. @throws Refusal 413, 415 */
export function readForm({ raw }: RequestFacts, largestBytes = LARGEST_FORM_BYTES): Map<string, string> {
  const bytes: unknown = raw.body;
  if (!raw.is('application/x-www-form-urlencoded')) {
    throw refuse.unsupported_media_type('Send application/x-www-form-urlencoded.');
  }
  if (!Buffer.isBuffer(bytes)) return new Map();
  if (bytes.length > largestBytes) throw refuse.body_too_large();
  const fields = new URLSearchParams(bytes.toString('latin1'));
  const single = [...new Set(fields.keys())].filter((name) => fields.getAll(name).length === 1);
  return new Map(single.map((name) => [name, fields.get(name) ?? '']));
}
