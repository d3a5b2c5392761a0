/** Requests in which one id is replaced, made from the list of routes and its own documentation. */
import type { Route } from '../../api/http/routes.js';

/** What the segment before an id names. A new kind of address needs a line here. */
const TABLE_OF_SEGMENT: Record<string, string> = {
  organizations: 'organizations',
  dues: 'organizations',
  admins: 'organization_admins',
  regions: 'regions',
  'regional-admins': 'regional_admins',
  chapters: 'chapters',
  memberships: 'memberships',
  invitations: 'invitations',
  terms: 'terms',
  sessions: 'sessions',
  accounts: 'social_accounts',
  emails: 'user_emails',
  users: 'users',
  passkeys: 'webauthn_credentials',
  invoices: 'chapter_invoices',
  remittances: 'chapter_remittances',
  'payment-processors': 'org_payment_processors',
  'unmatched-payments': 'processor_captures',
  'billing-overrides': 'chapter_billing_overrides',
  rates: 'dues_rates',
  runs: 'dues_runs',
  'oauth-configurations': 'oauth_configurations',
  'saml-configurations': 'saml_configurations',
  'verified-domains': 'verified_domains',
  processes: 'processes',
};

/** What a field of a query or body links to. */
const TABLE_OF_FIELD: Record<string, string> = {
  chapter: 'chapters',
  provision_chapter: 'chapters',
  region: 'regions',
  term: 'terms',
  effective_term: 'terms',
  effective_from_term: 'terms',
  membership: 'memberships',
  member: 'memberships',
  invoice: 'chapter_invoices',
  subject_id: 'chapters',
  actor: 'users',
  user: 'users',
  subject: 'chapter_remittances',
};

export type Ids = Record<string, string>;

const idIn = (ids: Ids, table: string | undefined, where: string): string => {
  const id = table === undefined ? undefined : ids[table];
  if (!id) throw new Error(`${where}: nobody said which table this id is of.`);
  return id;
};

interface Parameter {
  name: string;
  table: string;
}

/** The ids in a route's path, with their tables. @throws Error for one of an unknown kind */
export function pathParameters({ path }: Pick<Route, 'path'>): Parameter[] {
  const segments = path.split('/');
  return segments.flatMap((segment, n) => {
    if (!segment.startsWith(':')) return [];
    const table = TABLE_OF_SEGMENT[segments[n - 1] ?? ''];
    if (!table) throw new Error(`${path}: add '${segments[n - 1]}' to TABLE_OF_SEGMENT.`);
    return [{ name: segment.slice(1), table }];
  });
}

/** A route's address with one's own ids, but for those that are given. */
export function addressOf(route: Pick<Route, 'path'>, own: Ids, replaced: Ids = {}): string {
  const parameters = new Map(pathParameters(route).map(({ name, table }) => [name, table]));
  return route.path.replaceAll(/:([^/]+)/g, (_, name: string) =>
    replaced[name] ? replaced[name] : idIn(own, parameters.get(name), route.path),
  );
}

/** Links in a query: parameters that hold an id of something. */
export const linksInQuery = ({ spec }: Route): Parameter[] =>
  Object.keys((spec.query as { shape?: object } | undefined)?.shape ?? {}).flatMap((name) =>
    TABLE_OF_FIELD[name] ? [{ name, table: TABLE_OF_FIELD[name] }] : [],
  );

export interface Link extends Parameter {
  path: (string | number)[];
}

const UUID = /^[0-9a-f]{8}-[0-9a-f-]{27}$/;

/** Links in an example of a body, however deep. @throws Error for an id of an unknown kind */
export function linksInBody(body: unknown, path: (string | number)[] = []): Link[] {
  if (Array.isArray(body)) return body.flatMap((item, n) => linksInBody(item, [...path, n]));
  if (body !== null && typeof body === 'object')
    return Object.entries(body).flatMap(([name, value]) => linksInBody(value, [...path, name]));
  if (typeof body !== 'string' || !UUID.test(body)) return [];
  const name = String(path.at(-1));
  const table = TABLE_OF_FIELD[name];
  if (!table) throw new Error(`${path.join('.')}: add '${name}' to TABLE_OF_FIELD.`);
  return [{ name, table, path }];
}

/** The body with its links set. */
export function withLinks(body: unknown, links: (Link & { id: string })[]): unknown {
  const copy = structuredClone(body) as Record<string | number, unknown>;
  for (const { path, id } of links) {
    const holder = path.slice(0, -1).reduce<unknown>((value, key) => (value as Record<string, unknown>)[key], copy);
    (holder as Record<string | number, unknown>)[path.at(-1) as string] = id;
  }
  return copy;
}
