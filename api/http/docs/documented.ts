/** Checks for tests: a response whose status is not documented by its route is an error. */
import type { ErrorRequestHandler } from 'express';
import { refusalOf } from '../errorHandler.js';
import type { Route } from '../routes.js';
import { errorsOf } from './errors.js';
import { successStatuses } from './operations.js';

const undocumented = ({ method, path }: Route, answer: string): Error =>
  new Error(`${method.toUpperCase()} ${path} answers ${answer}, which it does not document.`);

/**
 * Requires that the route documents the status of a success.
 * @throws Error
 */
export function requireDocumentedStatus(route: Route, status: number): void {
  if (!successStatuses(route).includes(status)) throw undocumented(route, String(status));
}

/** Passes a documented refusal on, and replaces an undocumented one by an error. */
export const requireDocumentedRefusal = (route: Route): ErrorRequestHandler => {
  const documented = new Set(errorsOf(route).map(({ status }) => status));
  return (error: unknown, _request, _response, next) => {
    const { status, code } = refusalOf(error);
    const isDocumented = documented.has(status) || route.spec.errorsAtCallback === true;
    next(isDocumented ? error : undocumented(route, `${status} ${code}`));
  };
};
