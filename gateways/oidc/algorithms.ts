/** The accepted signature algorithms: asymmetric ones only, never a shared secret, never `none`. */
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

const accepted: ReadonlySet<unknown> = new Set(SIGNING_ALGORITHMS);

/**
 * Returns the algorithms of a provider's discovery document that are accepted here. If the document has no list, RS256
 * applies (OpenID Connect Core, 2).
 */
export const acceptedAlgorithms = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((name): name is string => accepted.has(name)) : ['RS256'];
