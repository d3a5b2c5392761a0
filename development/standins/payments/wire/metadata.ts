/** Metadata: merged key by key; an empty value removes the key. */
import { invalidRequest } from './errors.js';
import type { Parameters } from './parameters.js';

const MAX_KEYS = 50;
const MAX_KEY_LENGTH = 40;
const MAX_VALUE_LENGTH = 500;

/** Returns the object's metadata after the request's changes. */
export function metadataFrom(
  params: Parameters | undefined,
  before: Record<string, string> = {},
): Record<string, string> {
  if (params?.values['metadata'] === '') return {};
  const after = { ...before };
  const changes = params?.map('metadata');
  for (const [key, value] of Object.entries(changes?.values ?? {})) {
    const param = changes?.name(key) ?? key;
    if (typeof value !== 'string') throw invalidRequest('Metadata values must be strings.', { param });
    if (key.length > MAX_KEY_LENGTH)
      throw invalidRequest(`Metadata keys hold at most ${MAX_KEY_LENGTH} characters.`, { param });
    if (value.length > MAX_VALUE_LENGTH) {
      throw invalidRequest(`Metadata values hold at most ${MAX_VALUE_LENGTH} characters.`, { param });
    }
    if (value === '') delete after[key];
    else after[key] = value;
  }
  if (Object.keys(after).length > MAX_KEYS) {
    throw invalidRequest(`Metadata holds at most ${MAX_KEYS} keys.`, { param: 'metadata' });
  }
  return after;
}
