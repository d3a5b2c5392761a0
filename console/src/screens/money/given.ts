/** Returns the filters of the address that a list has. */
export const given = (filters: Record<string, string | undefined>, names: readonly string[]): Record<string, string> =>
  Object.fromEntries(
    names.flatMap((name) => {
      const value = filters[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );
