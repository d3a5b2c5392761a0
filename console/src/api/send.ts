/** Sends requests of screens. A screen gets the data, or a failure that it can show. */
import type { Refused, Result, Unknown } from 'chapter-membership-client';
import { askForSession, askForStepUp } from '../session/prompts';

/** Why a request failed. */
export type Failure = Refused | Unknown;

/** A request that was refused, or whose outcome is unknown. */
export class RequestFailed extends Error {
  constructor(readonly failure: Failure) {
    super(failure.kind === 'refused' ? failure.detail : 'The outcome is unknown.');
  }
}

/** Whether the API refused a request with this code. */
export const isRefusedAs = (error: unknown, code: Refused['code']): boolean =>
  error instanceof RequestFailed && error.failure.kind === 'refused' && error.failure.code === code;

/**
 * Sends a request and returns its data. If the session has ended, or a recent authentication is required, a dialog asks
 * for it, and the same request continues.
 * @throws RequestFailed
 */
export async function send<Data>(request: () => Promise<Result<Data>>): Promise<Data> {
  for (;;) {
    const result = await request();
    if (result.ok) return result.data;
    if (!(await canContinue(result))) throw new RequestFailed(result);
  }
}

async function canContinue(failure: Failure): Promise<boolean> {
  if (failure.kind !== 'refused') return false;
  if (failure.status === 401) return askForSession();
  return failure.code === 'step_up_required' && askForStepUp(failure.detail);
}
