/**
 * Late binding for functions that an area needs from areas above it, which it must not import: it declares them, and
 * `models/areas.ts` binds them. No connection opens while a loaded declaration is unbound.
 */
const missing = new Set<string>();

export interface FromAbove<Functions> {
  (): Functions;
  /** For `models/areas.ts` only. */
  fillIn(functions: Functions): void;
}

/** @param area the area that needs them */
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

/** @throws Error when an area runs without the areas above it */
export function requireFilledIn(): void {
  if (missing.size > 0)
    throw new Error(`Import models/areas.js: nobody fills in what ${[...missing].join(', ')} needs.`);
}
