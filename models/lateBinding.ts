/**
 * Late binding (dependency inversion): an area declares functions that it needs from areas that may import it but which
 * it must not import. `models/wireAreas.ts` provides these functions. No database connection can be opened while a
 * declared function is not provided.
 */
const unboundAreas = new Set<string>();

export interface LateBound<Functions> {
  (): Functions;
  /** Provides the functions. Only `models/wireAreas.ts` calls it. */
  provide(functions: Functions): void;
}

/**
 * Declares functions that other areas provide, which this area must not import.
 * @param area name of the area that needs the functions
 */
export function lateBound<Functions extends object>(area: string): LateBound<Functions> {
  unboundAreas.add(area);
  let provided: Functions | undefined;
  const functions = (): Functions => {
    if (!provided) requireAllProvided();
    return provided as Functions;
  };
  const provide = (implementation: Functions): void => {
    provided = implementation;
    unboundAreas.delete(area);
  };
  return Object.assign(functions, { provide });
}

/**
 * Requires that all declared functions are provided.
 * @throws Error if a function is not provided, because `models/wireAreas.ts` was not loaded
 */
export function requireAllProvided(): void {
  if (unboundAreas.size > 0)
    throw new Error(
      `Import models/wireAreas.js, which provides the functions that these areas need: ${[...unboundAreas].join(', ')}.`,
    );
}
