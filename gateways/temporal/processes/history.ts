/** Reads what happened in a process from its history. */
import { defaultPayloadConverter } from '@temporalio/common';
import { temporal as protobuf } from '@temporalio/proto';
import { config } from '../../../config.js';
import { Stage } from '../../../workflows/contracts/searchAttributes.js';
import { decodePayload } from '../codec.js';
import { callTemporal, isNotFound } from './callTemporal.js';
import { dateOf } from './times.js';

type HistoryEvent = protobuf.api.history.v1.IHistoryEvent;
type Payload = protobuf.api.common.v1.IPayload;

/** The maximum number of pages of a thousand events, over all runs. A longer history is read without its beginning. */
const MAX_PAGES = 20;

export interface ExecutionHistory {
  /** The input of the process, ids only; null if it cannot be decrypted. */
  input: Record<string, unknown> | null;
  /** The stages in the order of time; a stage that continues in the next run is listed once. */
  stages: { stage: string; at: Date }[];
  /** The events of the latest run. */
  events: HistoryEvent[];
  /** Whether the stages begin with the first run. False if the history is too long to be read completely. */
  complete: boolean;
}

/**
 * Reads a run and the runs that it continues.
 * @throws TemporalUnavailable
 */
export async function readHistory(workflowId: string, runId: string): Promise<ExecutionHistory> {
  const budget = { pages: MAX_PAGES };
  const latest = await eventsOf(workflowId, runId, budget);
  const runs = [latest];
  let before = continuedFrom(latest);
  while (before && budget.pages > 0) {
    const events = await eventsOf(workflowId, before, budget);
    if (events.length === 0) break;
    runs.unshift(events);
    before = continuedFrom(events);
  }
  const [first] = runs[0] ?? [];
  const { input } = first?.workflowExecutionStartedEventAttributes ?? {};
  return {
    input: await decodeInput(input?.payloads?.[0]),
    stages: stagesIn(runs.flat()),
    events: latest,
    complete: !before,
  };
}

/**
 * Reads the input of a run, ids only; null if the run is gone, or if its input cannot be decrypted.
 * @throws TemporalUnavailable
 */
export async function readInput(workflowId: string, runId: string): Promise<Record<string, unknown> | null> {
  const [first] = await eventsOf(workflowId, runId, { pages: 1 }, 1);
  return decodeInput(first?.workflowExecutionStartedEventAttributes?.input?.payloads?.[0]);
}

const continuedFrom = ([first]: HistoryEvent[]): string | null =>
  first?.workflowExecutionStartedEventAttributes?.continuedExecutionRunId || null;

async function eventsOf(
  workflowId: string,
  runId: string,
  budget: { pages: number },
  pageSize = 1_000,
): Promise<HistoryEvent[]> {
  const events: HistoryEvent[] = [];
  let nextPageToken: Uint8Array = new Uint8Array();
  do {
    budget.pages -= 1;
    const page = await callTemporal(({ workflowService }) =>
      workflowService.getWorkflowExecutionHistory({
        namespace: config.TEMPORAL_NAMESPACE,
        execution: { workflowId, runId },
        maximumPageSize: pageSize,
        nextPageToken,
      }),
    ).catch((error: unknown) => {
      if (isNotFound(error)) return null;
      throw error;
    });
    events.push(...(page?.history?.events ?? []));
    nextPageToken = page?.nextPageToken ?? new Uint8Array();
  } while (nextPageToken.length > 0 && budget.pages > 0);
  return events;
}

function stagesIn(events: HistoryEvent[]): ExecutionHistory['stages'] {
  const stages: ExecutionHistory['stages'] = [];
  for (const event of events) {
    const { searchAttributes } = event.workflowExecutionStartedEventAttributes ??
      event.upsertWorkflowSearchAttributesEventAttributes ?? { searchAttributes: null };
    const payload = searchAttributes?.indexedFields?.[Stage.name];
    const [stage] = payload ? [defaultPayloadConverter.fromPayload<unknown>(payload)].flat() : [];
    const at = dateOf(event.eventTime);
    if (typeof stage === 'string' && at && stages.at(-1)?.stage !== stage) stages.push({ stage, at });
  }
  return stages;
}

/** Returns null for an input that cannot be decrypted, so that the rest is still shown. */
async function decodeInput(payload: Payload | undefined): Promise<Record<string, unknown> | null> {
  const value = payload ? await decodePayload(payload) : null;
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : null;
}
