/** Calls to Temporal that somebody waits for: they end soon, and a server that is away has a name of its own. */
import type { Client } from '@temporalio/client';
import { temporal } from '../client.js';

const DEADLINE_MS = 3_000;

/** Temporal did not answer in time, or cannot at the moment. Whether it did what it was asked is not known. */
export class TemporalUnavailable extends Error {
  override readonly name = 'TemporalUnavailable';
}

/** gRPC: invalid argument, not found, already exists, failed precondition. These are answers. */
const ANSWERS = new Set([3, 5, 6, 9]);
const NOT_FOUND = 5;
const ALREADY_EXISTS = 6;

/** @throws TemporalUnavailable, or what Temporal answered */
export async function ask<T>(work: (client: Client) => Promise<T>): Promise<T> {
  const client = temporal();
  try {
    return await client.withDeadline(Date.now() + DEADLINE_MS, () => work(client));
  } catch (error) {
    const code = grpcCode(error);
    if (code === undefined || ANSWERS.has(code)) throw error;
    throw new TemporalUnavailable('Temporal does not answer.', { cause: error });
  }
}

/** Whether Temporal answered that there is no such thing. */
export const isNotThere = (error: unknown): boolean => grpcCode(error) === NOT_FOUND;

/** Whether Temporal answered that there is such a thing already. */
export const isAlreadyThere = (error: unknown): boolean => grpcCode(error) === ALREADY_EXISTS;

/** Whether Temporal answered that this is not possible, or not any more. */
export const isImpossible = (error: unknown): boolean => ANSWERS.has(grpcCode(error) ?? -1);

function grpcCode(error: unknown): number | undefined {
  if (!(error instanceof Error)) return undefined;
  // The client's own names for two of them.
  if (error.name === 'WorkflowNotFoundError') return NOT_FOUND;
  if (error.name === 'WorkflowExecutionAlreadyStartedError') return ALREADY_EXISTS;
  const { code } = error as { code?: unknown };
  return typeof code === 'number' ? code : grpcCode(error.cause);
}
