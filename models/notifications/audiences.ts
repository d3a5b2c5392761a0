/** Who can be told together. An audience has a name, so that a process can go through it later; areas declare theirs. */

export interface Audience {
  readonly name: string;
  /**
   * SQL of a query for the `user_id` of everybody in it, each once; `a` has organization_id and audience_id. What it tells is
   * decided for each at delivery, so that it may be read while people come and go.
   */
  readonly people: string;
}

const registry = new Map<string, Audience>();

/** Declares an area's audiences. @returns each with its name */
export function defineAudiences<Name extends string>(table: Record<Name, string>): Record<Name, Audience> {
  const audiences = Object.entries<string>(table).map(([name, people]) => [name, { name, people }] as const);
  for (const [name, audience] of audiences) registry.set(name, audience);
  return Object.fromEntries(audiences) as Record<Name, Audience>;
}

/** @throws Error for a name that no area has */
export function audienceNamed(name: string): Audience {
  const audience = registry.get(name);
  if (!audience) throw new Error(`There is no audience ${name}.`);
  return audience;
}
