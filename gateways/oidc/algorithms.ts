/** Signatures that are believed: of keys that only the provider has, never of a secret that two share, never none. */
const SIGNING_ALGORITHMS = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
  'Ed25519',
] as const;

const known: ReadonlySet<unknown> = new Set(SIGNING_ALGORITHMS);

/** Those of a discovered document. Without the list, which the document has to have, it is RS256 (OpenID Connect Core, 2). */
export const believedOf = (said: unknown): string[] =>
  Array.isArray(said) ? said.filter((name): name is string => known.has(name)) : ['RS256'];
