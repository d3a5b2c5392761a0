/** Returns the filters of these names that the address has, to pass them to the API as they are. */
export const givenFilters = (
  filters: Readonly<Record<string, string | undefined>>,
  names: readonly string[],
): Record<string, string> =>
  Object.fromEntries(names.flatMap((name) => (filters[name] ? [[name, filters[name]]] : [])));
