/** What a cancellation means to the rows that a process is about. */
import { firstRow } from '../database/rows.js';
import { cancelAttempt, noteCancellation } from '../finances/attempts/cancelAttempt.js';
import { cancelPage, closePage } from '../finances/attempts/hostedPage.js';
import { cancelDuesRun, stopDuesRun } from '../finances/dues-runs/cancelDuesRun.js';
import { processErrors } from './errors.js';
import type { WaitingProcess } from './waiting.js';

type Input = Record<string, unknown>;

/** Before a running process is asked to end: whether it still may, by its rows. */
const BEFORE_CANCEL: Readonly<Record<string, (input: Input) => Promise<boolean>>> = {
  payRemittance: ({ attemptId }) => noteCancellation(String(attemptId)),
  hostedPage: ({ attemptId }) => closePage(String(attemptId), 'cancelled'),
  issueDues: async ({ duesRunId }) => {
    await stopDuesRun(String(duesRunId));
    return true;
  },
};

/** Ends what a process would have ended by itself, had it been started. */
const INSTEAD_OF_START: Readonly<Record<string, (input: Input) => Promise<boolean>>> = {
  payRemittance: ({ attemptId }) => cancelAttempt(String(attemptId)),
  hostedPage: ({ attemptId }) => cancelPage(String(attemptId)),
  issueDues: async ({ duesRunId }) => {
    await cancelDuesRun(String(duesRunId));
    return true;
  },
};

/** @throws Refusal money_may_have_moved */
export async function beforeCancel(name: string, input: Input | null): Promise<void> {
  const mayEnd = BEFORE_CANCEL[name];
  if (mayEnd && !(input && (await mayEnd(input)))) throw processErrors.money_may_have_moved();
}

/**
 * Takes back an intent that was not handed over, or whose process is forgotten. Should somebody be starting it at this
 * moment, its process finds its rows ended, and does nothing.
 * @returns false when it was handed over meanwhile
 * @throws Refusal money_may_have_moved
 */
export async function cancelWaiting(waiting: WaitingProcess): Promise<boolean> {
  const end = INSTEAD_OF_START[waiting.name];
  if (!(waiting.id === null ? end && (await keepCancelled(waiting)) : await takeBack(waiting))) return false;
  if (end && !(await end(waiting.input))) throw processErrors.money_may_have_moved();
  return true;
}

const takeBack = ({ id, organizationId }: WaitingProcess) =>
  firstRow(
    `UPDATE outbox SET dispatched_at = now(), cancelled_at = now()
      WHERE id = $1 AND organization_id = $2 AND dispatched_at IS NULL RETURNING id`,
    [id, organizationId],
  );

/** Nothing else is left to show that there was such a process. */
const keepCancelled = ({ organizationId, name, workflowId, input }: WaitingProcess) =>
  firstRow(
    `INSERT INTO outbox (organization_id, process, workflow_id, input, dispatched_at, cancelled_at)
     VALUES ($1, $2, $3, $4, now(), now()) RETURNING id`,
    [organizationId, name, workflowId, JSON.stringify(input)],
  );
