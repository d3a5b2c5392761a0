/** Addresses of one person within what tables say of other people. */

/** Signs that an address may have before its `@` and in a domain, and that are not punctuation around it as well. */
const [LOCAL, DOMAIN] = [String.raw`[\p{L}\p{N}_]`, String.raw`[\p{L}\p{N}]`];

/**
 * Matches each of the addresses in any case, unless it is part of a longer, other address: `ann@x.org` stands in `Ann <ann@x.org>`, and
 * neither in `joann@x.org` nor in `jo.ann@x.org` or `ann@x.org.uk`.
 */
const patternOf = (addresses: readonly string[]): RegExp => {
  const literal = addresses.map((address) => address.replaceAll(/[\^$\\.*+?()[\]{}|/]/g, String.raw`\$&`));
  return new RegExp(String.raw`(?<!${LOCAL}[-+'.]*)(?:${literal.join('|')})(?!(?:\.|-*)${DOMAIN})`, 'giu');
};

/** Returns JSON without the addresses in its texts; the same object where none of them names one. */
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
