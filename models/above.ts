/**
 * What an area needs of the areas above it, which it must not import: it declares the functions, `models/areas.ts` fills
 * them in. No connection opens while something that was loaded is not filled in.
 */
const missing = new Set<string>();

export interface FromAbove<Functions> {
  (): Functions;
  /** For `models/areas.ts` alone. */
  fillIn(functions: Functions): void;
}

/** @param area the one that needs them */
export function fromAbove<Functions extends object>(area: string): FromAbove<Functions> {
  missing.add(area);
  let filled: Functions | undefined;
  const functions = (): Functions => {
    if (!filled) requireFilledIn();
    return filled as Functions;
  };
  const fillIn = (given: Functions): void => {
    filled = given;
    missing.delete(area);
  };
  return Object.assign(functions, { fillIn });
}

/** @throws Error when an area runs without those above it */
export function requireFilledIn(): void {
  if (missing.size > 0)
    throw new Error(`Import models/areas.js: nobody fills in what ${[...missing].join(', ')} needs.`);
}
