/** Registry of error codes: every refusal has a stable code, and the documentation lists all of them. */

/** Messages per field; nested fields are joined with dots: `allocations.0.amount_cents`. */
export type FieldErrors = Record<string, string[]>;

/** A typed refusal, which the API renders as `{detail, code, errors?}`. */
export class Refusal extends Error {
  override readonly name = 'Refusal';

  constructor(
    readonly status: number,
    readonly code: string,
    detail: string,
    readonly errors?: FieldErrors,
    readonly headers: Record<string, string> = {},
  ) {
    super(detail);
  }
}

export interface ErrorDefinition {
  code: string;
  status: number;
  /** Message of the refusal if the caller gives none. */
  detail: string;
}

type CreateRefusal = ((detail?: string, errors?: FieldErrors, headers?: Record<string, string>) => Refusal) &
  ErrorDefinition;

const registry = new Map<string, ErrorDefinition>();

/** Declares an area's codes. @returns one function per code, which creates the refusal to throw */
export function defineErrors<Code extends string>(
  table: Record<Code, readonly [status: number, detail: string]>,
): Record<Code, CreateRefusal> {
  const entries = Object.entries(table) as [Code, readonly [number, string]][];
  return Object.fromEntries(
    entries.map(([code, [status, detail]]) => {
      registry.set(code, { code, status, detail });
      const create = (message?: string, errors?: FieldErrors, headers?: Record<string, string>) =>
        new Refusal(status, code, message ?? detail, errors, headers);
      return [code, Object.assign(create, { code, status, detail })];
    }),
  ) as unknown as Record<Code, CreateRefusal>;
}

/** Returns every registered code, sorted. */
export const errorTable = (): ErrorDefinition[] => [...registry.values()].sort((a, b) => a.code.localeCompare(b.code));

/** Refusals that any endpoint may return. */
export const refuse = defineErrors({
  validation_error: [400, 'Some fields are not valid.'],
  malformed_json: [400, 'The body is not valid JSON.'],
  invalid_encoding: [400, 'The request is not valid UTF-8.'],
  organization_required: [400, 'Send the id of the organization in the X-Organization-Id header.'],
  not_authenticated: [401, 'Sign in first.'],
  forbidden: [403, 'You may not do this.'],
  organization_forbidden: [403, 'You have no access to this organization, or it does not exist.'],
  cross_site_request: [403, 'The request comes from a website that may not call this API with your cookies.'],
  not_found: [404, 'Not found.'],
  page_not_found: [404, 'This page of the list does not exist. Request an earlier page.'],
  method_not_allowed: [405, 'This URL does not support the HTTP method of the request.'],
  conflict: [
    409,
    'A value of this request is already in use, or the data has changed meanwhile. Load it again, then retry.',
  ],
  stale_version: [409, 'Somebody changed this in the meantime. Load it again.'],
  locked: [409, 'Another request is changing the same data. Try again shortly.'],
  duplicate: [409, 'A record with the same values already exists.'],
  idempotency_mismatch: [409, 'This idempotency key was used with a different request.'],
  preview_stale: [409, 'The data has changed since the preview. Preview it again.'],
  body_too_large: [413, 'The body is too large.'],
  unsupported_media_type: [415, 'Send application/json.'],
  unprocessable: [422, 'A value or a combination of values in this request is not allowed. Check the values.'],
  throttled: [429, 'Too many requests. Try again later.'],
  server_error: [500, 'Something went wrong on our side.'],
  busy: [503, 'Too many requests at the same time. Try again shortly.'],
  unavailable: [503, 'Part of the service is not available. Try again shortly.'],
});

/** Thrown by a workflow's step when a row that it needs was deleted. A retry cannot succeed. */
export class RowMissing extends Error {
  override readonly name = 'RowMissing';
}

/** Creates a 400 refusal about one field. */
export const invalid = (field: string, message: string): Refusal =>
  refuse.validation_error(undefined, { [field]: [message] });

/** Returns a factory of the refusal for a broken unique constraint: another row has this value of a field. */
export const duplicateValue = (field: string, message: string) => (): Refusal =>
  refuse.duplicate(message, { [field]: [message] });

/** Requires a row. @throws Refusal not_found without one */
export function requireFound<Row>(row: Row | null | undefined): Row {
  if (row === null || row === undefined) throw refuse.not_found();
  return row;
}
