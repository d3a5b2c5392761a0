/** One route as an OpenAPI operation. */
import { z } from 'zod';
import type { ZodOpenApiOperationObject, ZodOpenApiParameters, ZodOpenApiResponseObject } from 'zod-openapi';
import { SSO_FAILURES } from '../../../models/identity/sso/errors.js';
import type { Route } from '../routes.js';
import { DEFAULT_SCOPES, limitOf, SCOPES } from '../throttles/scopes.js';
import { errorResponses } from './errors.js';
import { operationIdOf } from './operationIds.js';

const TENANT_HEADERS = z.object({
  'X-Organization-Id': z.uuid().optional().meta({
    description: 'The organization to act for. Required for platform admins; other users may only send their own.',
  }),
});

/** Converts a path to the form of OpenAPI: `/api/chapters/:id/` becomes `/api/chapters/{id}/`. */
export const openApiPath = (path: string): string => path.replaceAll(/:([^/]+)/g, '{$1}');

export function operation(route: Route): ZodOpenApiOperationObject {
  const { spec } = route;
  const body = requestBody(route);
  return {
    operationId: operationIdOf(route),
    summary: spec.summary,
    description: [spec.description, throttleNote(route)].filter(Boolean).join('\n\n'),
    tags: [...(spec.tags ?? [areaOf(route.path)])],
    security: spec.access === 'public' ? [] : [{ cookie: [] }, { bearer: [] }],
    requestParams: parameters(route),
    ...(body && { requestBody: body }),
    responses: { ...errorResponses(route), ...successes(route) },
  };
}

function parameters({ spec }: Route): ZodOpenApiParameters {
  const headers = spec.access === 'tenant' ? TENANT_HEADERS.extend(spec.headers?.shape ?? {}) : spec.headers;
  return {
    ...(spec.params && { path: spec.params as z.ZodObject }),
    ...(spec.query && { query: spec.query as z.ZodObject }),
    ...(headers && { header: headers }),
  };
}

function requestBody({ spec }: Route): ZodOpenApiOperationObject['requestBody'] {
  if (spec.form) return { required: true, content: { 'application/x-www-form-urlencoded': { schema: spec.form } } };
  if (spec.upload) return { required: true, content: { 'multipart/form-data': { schema: spec.upload } } };
  if (spec.rawBody) return { required: true, content: { 'application/json': { schema: { type: 'object' } } } };
  if (!spec.body) return undefined;
  // A body in which every field is optional may be left out.
  return { required: !spec.body.safeParse({}).success, content: { 'application/json': { schema: spec.body } } };
}

const TEXT = { type: 'string' } as const;
/** The schema that generators recognize as a file. */
const BYTES = { type: 'string', format: 'binary' } as const;

const AT_CALLBACK =
  'Redirect. A refused request is redirected, too: the callback receives the reason as `error`, one of ' +
  `${SSO_FAILURES.map((reason) => `\`${reason}\``).join(', ')}.`;

function descriptionOf({ summary, status, response, textResponse, errorsAtCallback }: Route['spec']): string {
  if (errorsAtCallback) return AT_CALLBACK;
  if (status === 302) return 'Redirect.';
  return response || textResponse ? summary : 'Done.';
}

const LOCATION = {
  description: 'The redirect target.',
  required: true,
  schema: { type: 'string', format: 'uri' },
} as const;

const ETAG = { description: 'Identifies this answer, for `If-None-Match`.', schema: { type: 'string' } } as const;
const NOT_MODIFIED = {
  description: 'The answer has not changed since the one with this ETag.',
  headers: { ETag: ETAG },
};

const NOT_YET = {
  description: 'The work takes longer. Poll the given address.',
  headers: {
    Location: {
      description: 'The address to poll.',
      required: true,
      schema: { type: 'string', format: 'uri-reference' },
    },
    'Retry-After': { description: 'Seconds to wait before polling.', schema: { type: 'integer' } },
  },
} as const;

/** Returns the statuses of the route's successes, as `successes` describes them. */
export const successStatuses = (route: Route): number[] => Object.keys(successes(route)).map(Number);

function successes({ spec }: Route): Record<`${2 | 3 | 5}${string}`, ZodOpenApiResponseObject> {
  const { response, status = response ? 200 : 204, alsoStatus = [], textResponse } = spec;
  const redirects = status === 302;
  const answer: ZodOpenApiResponseObject = {
    description: descriptionOf(spec),
    headers: {
      'X-Request-Id': { description: 'Quote it when you ask for help.', schema: { type: 'string' } },
      ...(redirects && { Location: LOCATION }),
      ...(spec.revalidated && { ETag: ETAG }),
    },
    ...((response || textResponse) && {
      content: {
        ...(response && { 'application/json': { schema: response } }),
        ...(textResponse && { [textResponse]: { schema: /^text\/|\+xml$/.test(textResponse) ? TEXT : BYTES } }),
      },
    }),
  };
  const answers = [status, ...alsoStatus].map((code): [string, ZodOpenApiResponseObject] => [String(code), answer]);
  if (spec.later) answers.push(['202', NOT_YET]);
  return Object.fromEntries(spec.revalidated ? [...answers, ['304', NOT_MODIFIED]] : answers);
}

function throttleNote({ spec }: Route): string {
  const scopes = (spec.throttle ?? DEFAULT_SCOPES).filter((scope) =>
    spec.throttle ? true : (scope === 'default_anonymous') === (spec.access === 'public'),
  );
  const limits = scopes.map((scope) => `${limitOf(scope)} per ${SCOPES[scope].windowSeconds} s (\`${scope}\`)`);
  return limits.length === 0 ? 'Not throttled.' : `Throttled: ${limits.join(', ')}.`;
}

const areaOf = (path: string): string =>
  path.split('/').find((segment) => segment !== '' && segment !== 'api') ?? 'api';
