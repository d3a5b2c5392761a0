/** Derives the errors that a route may return from its specification. */
import { identityErrors } from '../../../models/identity/errors.js';
import { impersonationErrors } from '../../../models/identity/impersonation/errors.js';
import { z } from 'zod';
import type { ZodOpenApiResponseObject } from 'zod-openapi';
import { type ErrorDefinition, errorTable, refuse } from '../../../models/errors.js';
import { authenticationErrors } from '../authentication.js';
import { requiresOwnOrigin } from '../browsers.js';
import { httpErrors } from '../errorHandler.js';
import type { Route } from '../routes.js';
import { isPage } from './operationIds.js';

/**
 * Description of the field `code`. It names the table of all codes, because readers and generators look for the table
 * in the document.
 */
const CODES = 'For programs; stable. The operation lists its codes; all codes are in the table at /api/docs/errors/.';

const ErrorJson = z
  .object({
    detail: z.string().meta({ description: 'Explanation for the user.', example: 'Some fields are not valid.' }),
    code: z.string().meta({ description: CODES, example: 'validation_error' }),
    errors: z
      .record(z.string(), z.array(z.string()))
      .optional()
      .meta({ description: 'Messages per field; nested fields are joined with dots.' }),
  })
  .meta({ id: 'Error', description: 'Every answer that is not a success.' });

/** Returns every refusal that a route documents. */
export function errorsOf({ method, path, spec }: Route): ErrorDefinition[] {
  if (spec.errorsAtCallback) return [];
  const takesBody = method !== 'get';
  const changes = takesBody && !spec.rawBody;
  const { token_invalid, token_superseded, password_change_required, step_up_required } = authenticationErrors;
  const { session_ended, membership_ended } = identityErrors;
  const { impersonation_area_closed } = impersonationErrors;
  const signedIn = [
    refuse.not_authenticated,
    token_invalid,
    token_superseded,
    session_ended,
    refuse.forbidden,
    password_change_required,
  ];
  return [
    refuse.validation_error,
    refuse.invalid_encoding,
    ...(changes ? [refuse.malformed_json] : []),
    ...(takesBody && requiresOwnOrigin(spec) ? [refuse.cross_site_request] : []),
    ...(takesBody ? [refuse.body_too_large, refuse.unsupported_media_type, httpErrors.malformed_request] : []),
    ...(spec.bodyBounds ? [httpErrors.request_timeout] : []),
    ...(changes || spec.writes ? [refuse.locked] : []),
    ...(spec.access === 'public' ? [] : signedIn),
    ...(spec.access === 'public' && spec.impersonation === 'closed' ? [impersonation_area_closed] : []),
    ...(spec.stepUp ? [step_up_required] : []),
    ...(spec.access === 'tenant'
      ? [refuse.organization_required, refuse.organization_forbidden, membership_ended, refuse.not_found]
      : []),
    ...(path.includes(':') ? [refuse.not_found] : []),
    ...(isPage(spec.response) ? [refuse.page_not_found] : []),
    ...(spec.throttle?.length === 0 ? [] : [refuse.throttled]),
    ...(spec.errors ?? []),
    httpErrors.uri_too_long,
    refuse.server_error,
    refuse.busy,
    refuse.unavailable,
  ];
}

const RETRY_AFTER = {
  'Retry-After': { description: 'Seconds to wait, a whole number.', schema: { type: 'integer' as const } },
};

/** Returns the error responses of a route, by status, each with an example per code. */
export function errorResponses(route: Route): Record<`${4 | 5}${string}`, ZodOpenApiResponseObject> {
  const byStatus = new Map<number, Map<string, ErrorDefinition>>();
  for (const error of errorsOf(route)) {
    const codes = byStatus.get(error.status) ?? new Map<string, ErrorDefinition>();
    byStatus.set(error.status, codes.set(error.code, error));
  }
  return Object.fromEntries(
    [...byStatus].map(([status, codes]) => [
      String(status),
      {
        description: [...codes.values()].map(({ code, detail }) => `\`${code}\`: ${detail}`).join('\n\n'),
        ...([409, 429, 503].includes(status) && { headers: RETRY_AFTER }),
        content: route.spec.refusalPage
          ? { 'text/html': { schema: { type: 'string' as const } } }
          : { 'application/json': { schema: ErrorJson, examples: examplesOf([...codes.values()]) } },
      },
    ]),
  );
}

const examplesOf = (codes: ErrorDefinition[]) =>
  Object.fromEntries(
    codes.map(({ code, detail }) => [
      code,
      { value: { detail, code, ...(code === 'validation_error' && { errors: { field: ['Required.'] } }) } },
    ]),
  );

const escapeHtml = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

/** Renders every error code as a row of an HTML table. */
export const errorRows = (): string =>
  errorTable()
    .map(
      ({ code, status, detail }) =>
        `<tr><td><code>${code}</code></td><td>${status}</td><td>${escapeHtml(detail)}</td></tr>`,
    )
    .join('\n');
