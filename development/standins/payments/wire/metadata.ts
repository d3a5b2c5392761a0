/** Metadata: merged key by key, an empty value unsets. */
import { invalidRequest } from './errors.js';
import type { Parameters } from './parameters.js';

const MOST_KEYS = 50;
const LONGEST_KEY = 40;
const LONGEST_VALUE = 500;

/** The object's metadata after the request's changes. */
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
    if (key.length > LONGEST_KEY)
      throw invalidRequest(`Metadata keys hold at most ${LONGEST_KEY} characters.`, { param });
    if (value.length > LONGEST_VALUE) {
      throw invalidRequest(`Metadata values hold at most ${LONGEST_VALUE} characters.`, { param });
    }
    if (value === '') delete after[key];
    else after[key] = value;
  }
  if (Object.keys(after).length > MOST_KEYS) {
    throw invalidRequest(`Metadata holds at most ${MOST_KEYS} keys.`, { param: 'metadata' });
  }
  return after;
}
