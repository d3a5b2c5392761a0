/** Requests in which one id is replaced, built from the list of routes and its OpenAPI documentation. */
import type { z } from 'zod';
import type { Route } from '../../api/http/routes.js';
import { allModels } from '../../models/database/model/defineModel.js';
import { NIL } from '../../models/database/uuid.js';

/** The table that the segment before an id names, where that is no model's own table name. */
const TABLE_OF_SEGMENT: Record<string, string> = {
  dues: 'organizations',
  admins: 'organization_admins',
  'foundation/admins': 'foundation_admins',
  'foundation/bulletins': 'foundation_bulletins',
  members: 'forum_memberships',
  ':forum_id/invitations': 'forum_memberships',
  'join-requests': 'forum_memberships',
  posts: 'forum_posts',
  'review-queue': 'forum_cases',
  pledges: 'recurring_pledges',
  donate: 'foundation_configs',
  giving: 'foundation_configs',
  portal: 'foundation_configs',
  links: 'donor_links',
  invitations: 'invitations',
  sessions: 'sessions',
  accounts: 'social_accounts',
  emails: 'user_emails',
  users: 'users',
  passkeys: 'webauthn_credentials',
  invoices: 'chapter_invoices',
  remittances: 'chapter_remittances',
  'payment-processors': 'org_payment_processors',
  'unmatched-payments': 'processor_captures',
  disputes: 'payment_disputes',
  runs: 'dues_runs',
  'annual-receipts': 'annual_receipt_runs',
  'oauth-configurations': 'oauth_configurations',
  'saml-configurations': 'saml_configurations',
  'verified-domains': 'verified_domains',
  processes: 'processes',
  digests: 'notification_digests',
  files: 'stored_files',
  consents: 'consent_templates',
  pnm: 'pnm_profiles',
  'name-assignments': 'pnm_name_assignments',
  attachments: 'pnm_attachments',
  'reference-letters': 'pnm_reference_letters',
  imports: 'bulk_imports',
  rows: 'bulk_import_rows',
  roster: 'memberships',
  'good-standing': 'good_standing_proofs',
};

/** The table that a field of a query or body references, where its name does not say it. */
const TABLE_OF_FIELD: Record<string, string> = {
  annual_run: 'annual_receipt_runs',
  successor: 'memberships',
  replaces: 'pnm_reference_letters',
  consents: 'consent_templates',
  to_chapter: 'chapters',
  chapters: 'chapters',
  except: 'memberships',
  target: 'chapters',
  document: 'stored_files',
  to: 'storage_configs',
  connection: 'oauth_configurations',
  provision_chapter: 'chapters',
  period: 'recruitment_periods',
  effective_term: 'terms',
  effective_from_term: 'terms',
  member: 'memberships',
  invoice: 'chapter_invoices',
  payment: 'payment_records',
  subject_id: 'chapters',
  actor: 'users',
  author: 'users',
  user: 'users',
  first_admin: 'users',
  subject: 'chapter_remittances',
  before: 'notifications',
  since: 'notifications',
  notification_ids: 'notifications',
  ids: 'member_add_requests',
  pnm: 'pnm_profiles',
  pnm_ids: 'pnm_profiles',
  donor: 'donors',
  donation: 'donations',
  pledge: 'recurring_pledges',
};

/** `billing_overrides` is chapter_billing_overrides, as long as no other table name has this ending. */
function tableCalled(word: string): string | undefined {
  const tables = allModels().map(({ definition }) => definition.table);
  if (tables.includes(word)) return word;
  const ending = tables.filter((table) => table.endsWith(`_${word}`));
  return ending.length === 1 ? ending[0] : undefined;
}

/** @param before the segment before it, where that distinguishes two tables */
const tableOfSegment = (segment: string, before = '') =>
  TABLE_OF_SEGMENT[`${before}/${segment}`] ?? TABLE_OF_SEGMENT[segment] ?? tableCalled(segment.replaceAll('-', '_'));
const tableOfField = (name: string) => TABLE_OF_FIELD[name] ?? tableCalled(`${name}s`);

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

/** The ids in a route's path, with their tables. @throws Error for an id of an unknown kind */
export function pathParameters({ path }: Pick<Route, 'path'>): Parameter[] {
  const segments = path.split('/');
  return segments.flatMap((segment, n) => {
    if (!segment.startsWith(':')) return [];
    const table = tableOfSegment(segments[n - 1] ?? '', segments[n - 2]);
    if (!table) throw new Error(`${path}: add '${segments[n - 1]}' to TABLE_OF_SEGMENT.`);
    return [{ name: segment.slice(1), table }];
  });
}

/** A route's path with the tenant's own ids, except the given ones. */
export function addressOf(route: Pick<Route, 'path'>, own: Ids, replaced: Ids = {}): string {
  const parameters = new Map(pathParameters(route).map(({ name, table }) => [name, table]));
  return route.path.replaceAll(/:([^/]+)/g, (_, name: string) =>
    replaced[name] ? replaced[name] : idIn(own, parameters.get(name), route.path),
  );
}

/** Links in a query: parameters that take an id. @throws Error for an id of an unknown kind */
export const linksInQuery = ({ path, spec }: Route): Parameter[] =>
  Object.entries((spec.query as z.ZodObject | undefined)?.shape ?? {}).flatMap(([name, schema]) => {
    const takes = (value: string) => (schema as z.ZodType).safeParse(value).success;
    const takesIds = takes(NIL) && !takes('any words at all');
    if (!takesIds) return [];
    const table = tableOfField(name);
    if (!table) throw new Error(`${path}: add '${name}' to TABLE_OF_FIELD.`);
    return [{ name, table }];
  });

export interface Link extends Parameter {
  path: (string | number)[];
}

const UUID = /^[0-9a-f]{8}-[0-9a-f-]{27}$/;

/** Links in an example of a body, at any depth. @throws Error for an id of an unknown kind */
export function linksInBody(body: unknown, path: (string | number)[] = []): Link[] {
  if (Array.isArray(body)) return body.flatMap((item, n) => linksInBody(item, [...path, n]));
  if (body !== null && typeof body === 'object')
    return Object.entries(body).flatMap(([name, value]) => linksInBody(value, [...path, name]));
  if (typeof body !== 'string' || !UUID.test(body)) return [];
  // For an array of ids, the array has the name.
  const name = String(path.findLast((step) => typeof step === 'string'));
  const table = tableOfField(name);
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
