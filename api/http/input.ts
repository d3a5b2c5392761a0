/** Validates a request against the route's schemas. */
import type { Request } from 'express';
import { z } from 'zod';
import { refuse } from '../../models/errors.js';
import { parseJson, parseQuery } from './body.js';
import { requestFacts } from './requestFacts.js';
import type { Route } from './routes.js';
import { validate } from './validation.js';

const NOTHING = z.strictObject({});

/** Methods that change nothing. */
export const SAFE = new Set(['GET', 'HEAD']);

/**
 * Validates a request and returns its input.
 * @throws Refusal validation_error that names each field; not_found for a malformed id
 */
export const parseInput = (route: Route, request: Request) => ({
  ...readInput(route, request),
  request: requestFacts(request),
});

function readInput({ spec }: Route, request: Request) {
  // A malformed id is treated like an unknown one.
  for (const name in request.params) if (request.params[name]?.includes('\0')) throw refuse.not_found();
  const params = spec.params?.safeParse(request.params);
  if (params && !params.success) throw refuse.not_found();
  return { params: params?.data, query: readQuery(spec, request), body: readBody(spec, request) };
}

function readQuery(spec: Route['spec'], { originalUrl }: Request): unknown {
  if (!spec.query && !originalUrl.includes('?')) return undefined;
  const query = validate(spec.query ?? NOTHING, parseQuery(originalUrl), 'Unknown parameter.');
  return spec.query && query;
}

function readBody(spec: Route['spec'], request: Request): unknown {
  if (spec.rawBody) return request.body;
  // The handler reads the upload once the request is admitted.
  if (spec.upload) return undefined;
  if (SAFE.has(request.method)) return undefined;
  const parsed = parseJson(request);
  const body = validate(spec.body ?? NOTHING, parsed === undefined ? {} : parsed);
  return spec.body && body;
}
