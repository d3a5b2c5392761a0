/** Readable operation names, made from method and path: `listChapterMembers`, `payRemittance`. */
import { z } from 'zod';
import type { Route } from '../routes.js';

/** Path segments that are namespaces and not part of a name. */
const SILENT = new Set(['api', 'auth', 'billing', 'hq']);
/** Replacements of path segments in operation names: `me` becomes `my`. */
const OWNER: Record<string, string> = { me: 'my' };
const SAME_IN_PLURAL = new Set(['dues', 'finances', 'settings', 'status']);
const VERBS = { get: 'get', post: 'create', put: 'replace', patch: 'update', delete: 'delete' } as const;

/** Returns the route's own operationId, or one made from its path. */
export function operationIdOf(route: Route): string {
  if (route.spec.operationId) return route.spec.operationId;
  const segments = withoutTenant(route.path.split('/').filter((segment) => segment !== '' && !SILENT.has(segment))).map(
    (segment) => OWNER[segment] ?? segment,
  );
  const words = segments.flatMap((segment, at) => {
    if (segment.startsWith(':')) return [];
    return [segments[at + 1]?.startsWith(':') ? singular(segment) : segment];
  });
  const last = segments.at(-1) ?? '';
  if (route.method === 'post' && !last.startsWith(':')) return ofPost(words);
  const verb = route.method === 'get' && isList(route.spec.response) ? 'list' : VERBS[route.method];
  return camelCase([verb, ...words]);
}

/** Removes the organization prefix: nearly every resource belongs to one. */
function withoutTenant(segments: string[]): string[] {
  const [first, second, ...rest] = segments;
  const named =
    first === 'organizations' && second?.startsWith(':') && rest.some((segment) => !segment.startsWith(':'));
  return named ? rest : segments;
}

/** Matches a last path segment with an action and its objects, for example `revoke-others`. */
const SEVERAL = /^([a-z]+)-(other|all)s?$/;

/** POST to a collection creates an element; other POSTs are named by their last segment. */
function ofPost(words: string[]): string {
  const last = words.at(-1) ?? '';
  const before = words.slice(0, -1);
  const [, verb, which] = SEVERAL.exec(last) ?? [];
  if (verb && which) return camelCase([verb, which, ...before]);
  if (singular(last) !== last) return camelCase(['create', ...before, singular(last)]);
  return camelCase([last, ...before.slice(0, -1), ...before.slice(-1).map(singular)]);
}

/** Whether a response is a bare array or a list page. */
function isList(response: z.ZodType | undefined): boolean {
  return response instanceof z.ZodArray || isPage(response);
}

export const isPage = (response: z.ZodType | undefined): boolean =>
  response instanceof z.ZodObject && 'results' in response.shape;

function singular(segment: string): string {
  const word = segment.split('-').at(-1) ?? segment;
  if (SAME_IN_PLURAL.has(word) || !/[^su]s$/.test(word)) return segment;
  if (word.endsWith('ies')) return segment.replace(/ies$/, 'y');
  return segment.replace(/((?<=ss|x|ch|sh)es|s)$/, '');
}

const camelCase = (words: string[]): string =>
  words
    .join('-')
    .split(/[^A-Za-z0-9]+/)
    .map((word, at) => (at === 0 ? word.toLowerCase() : word.charAt(0).toUpperCase() + word.slice(1)))
    .join('');
