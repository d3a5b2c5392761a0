/** Removes one person's addresses from texts about other people. */

/**
 * Characters that can be part of an address, before the `@` and in the domain, and that are not also punctuation around
 * it.
 */
const [LOCAL, DOMAIN] = [String.raw`[\p{L}\p{N}_]`, String.raw`[\p{L}\p{N}]`];

/**
 * Matches each of the addresses in any case, unless it is part of a longer address: it finds `ann@x.org` in `Ann
 * <ann@x.org>`, but not in `joann@x.org`, `jo.ann@x.org` or `ann@x.org.uk`.
 */
const patternOf = (addresses: readonly string[]): RegExp => {
  const literal = addresses.map((address) => address.replaceAll(/[\^$\\.*+?()[\]{}|/]/g, String.raw`\$&`));
  return new RegExp(String.raw`(?<!${LOCAL}[-+'.]*)(?:${literal.join('|')})(?!(?:\.|-*)${DOMAIN})`, 'giu');
};

/** Returns the JSON without the addresses in its texts, or the same object if it contains none of them. */
export function withoutAddresses<Json>(json: Json, addresses: readonly string[]): Json {
  if (addresses.length === 0) return json;
  const pattern = patternOf(addresses);
  let isFound = false;
  const cleaned = JSON.stringify(json, (_, value: unknown) => {
    if (typeof value !== 'string') return value;
    const rest = value.replaceAll(pattern, '');
    if (rest === value) return value;
    isFound = true;
    return rest.trim();
  });
  return isFound ? (JSON.parse(cleaned) as Json) : json;
}
