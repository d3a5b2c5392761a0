/**
 * Calls to Temporal with a short deadline, for requests that somebody waits for. An unavailable server has an error
 * class of its own.
 */
import type { Client } from '@temporalio/client';
import { temporal } from '../client.js';

const DEADLINE_MS = 3_000;

/** Temporal did not answer in time, or is unavailable. The request may have succeeded. */
export class TemporalUnavailable extends Error {
  override readonly name = 'TemporalUnavailable';
}

/**
 * The gRPC codes invalid argument, not found, already exists and failed precondition. With them Temporal refuses a
 * request, so it is available.
 */
const ANSWER_CODES = new Set([3, 5, 6, 9]);
const NOT_FOUND = 5;
const ALREADY_EXISTS = 6;

/**
 * Runs a call.
 * @param deadlineMs how long it may take; the default is short, because a person waits
 * @throws TemporalUnavailable, or Temporal's own error if it refuses the request
 */
export async function callTemporal<T>(work: (client: Client) => Promise<T>, deadlineMs = DEADLINE_MS): Promise<T> {
  const client = temporal();
  try {
    return await client.withDeadline(Date.now() + deadlineMs, () => work(client));
  } catch (error) {
    const code = grpcCode(error);
    if (code === undefined || ANSWER_CODES.has(code)) throw error;
    throw new TemporalUnavailable('Temporal does not answer.', { cause: error });
  }
}

/** Reports whether Temporal answered that the object does not exist. */
export const isNotFound = (error: unknown): boolean => grpcCode(error) === NOT_FOUND;

/** Reports whether Temporal answered that the object exists already. */
export const isAlreadyExists = (error: unknown): boolean => grpcCode(error) === ALREADY_EXISTS;

/** Reports whether Temporal answered that the operation is not possible. */
export const isImpossible = (error: unknown): boolean => ANSWER_CODES.has(grpcCode(error) ?? -1);

function grpcCode(error: unknown): number | undefined {
  if (!(error instanceof Error)) return undefined;
  // The client has its own error classes for two of the codes.
  if (error.name === 'WorkflowNotFoundError') return NOT_FOUND;
  if (error.name === 'WorkflowExecutionAlreadyStartedError') return ALREADY_EXISTS;
  const { code } = error as { code?: unknown };
  return typeof code === 'number' ? code : grpcCode(error.cause);
}
