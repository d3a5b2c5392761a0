/**
 * Late binding (dependency inversion). An area must not import the areas above it, but may need functions of them. It
 * declares these functions with `lateBound`, and `models/wireAreas.ts` provides them. No database connection can be
 * opened until all declared functions are provided.
 */
const unboundAreas = new Set<string>();

export interface LateBound<Functions> {
  (): Functions;
  /** Provides the functions. Only `models/wireAreas.ts` calls it. */
  provide(functions: Functions): void;
}

/**
 * Declares functions that an area needs from areas that it must not import.
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
