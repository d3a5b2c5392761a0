/**
 * Audiences: groups of people who are notified of the same event. An audience has a name, by which a background process
 * finds its query later. Each area declares its audiences.
 */

export interface Audience {
  readonly name: string;
  /**
   * Name of the SQL function that selects the people: `app.<name>(organization, audience_id)` returns each `user_id`
   * once. Delivery checks each person again, so people may join or leave the audience while the function is read.
   */
  readonly people: string;
}

/**
 * Returns SQL for a FROM clause: the people of an audience. The query must have a row `a` with organization_id and
 * audience_id.
 */
export const peopleSql = ({ people }: Audience): string => `app.${people}(a.organization_id, a.audience_id)`;

const registry = new Map<string, Audience>();

/**
 * Declares an area's audiences.
 * @returns each audience with its name
 */
export function defineAudiences<Name extends string>(table: Record<Name, string>): Record<Name, Audience> {
  const audiences = Object.entries<string>(table).map(([name, people]) => [name, { name, people }] as const);
  for (const [name, audience] of audiences) registry.set(name, audience);
  return Object.fromEntries(audiences) as Record<Name, Audience>;
}

/**
 * Returns an audience.
 * @throws Error for an unknown name
 */
export function audienceNamed(name: string): Audience {
  const audience = registry.get(name);
  if (!audience) throw new Error(`There is no audience ${name}.`);
  return audience;
}
