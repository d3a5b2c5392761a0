/** What the events of a run say about where it stands: what it sleeps for, which step failed, where it can go on from. */
import type { temporal as protobuf } from '@temporalio/proto';
import { type FailureKind, failureKind } from './failures.js';
import { dateOf, millisecondsOf } from './times.js';

/** The SDK's name for it. */
const LOCAL_STEP = 'core_local_activity';

type HistoryEvent = protobuf.api.history.v1.IHistoryEvent;

/** Until when a running process sleeps; null when it does not. */
export function sleepingUntil(events: HistoryEvent[]): Date | null {
  const running = new Map<number, Date>();
  for (const event of events) {
    const timer = event.timerStartedEventAttributes;
    const begun = dateOf(event.eventTime);
    if (timer && begun)
      running.set(Number(event.eventId), new Date(begun.getTime() + millisecondsOf(timer.startToFireTimeout)));
    const over = event.timerFiredEventAttributes ?? event.timerCanceledEventAttributes;
    if (over) running.delete(Number(over.startedEventId));
  }
  return [...running.values()].sort((a, b) => a.getTime() - b.getTime())[0] ?? null;
}

export interface FailedStep {
  /** null: the process's own code failed, or somebody ended it between two steps. */
  name: string | null;
  failure: FailureKind | null;
  /** How often the step was tried. */
  attempts: number;
  at: Date | null;
  /** The decision to take again, so that the step runs again and nothing before it does; null when there was none. */
  resumeAt: number | null;
}

/** Where a process ended that did not complete. */
export async function failedStep(events: HistoryEvent[]): Promise<FailedStep> {
  const steps = stepsOf(events);
  const failed = events.findLast(
    (event) => event.activityTaskFailedEventAttributes ?? event.activityTaskTimedOutEventAttributes,
  );
  const ended = failed?.activityTaskFailedEventAttributes ?? failed?.activityTaskTimedOutEventAttributes;
  const end = events.at(-1);
  // A step that was under way when somebody ended the process comes before one that had failed earlier.
  const step = [...steps.values()].find(({ open }) => open) ?? steps.get(Number(ended?.scheduledEventId));
  const started = events.findLast(
    ({ activityTaskStartedEventAttributes: start }) => start && Number(start.scheduledEventId) === step?.eventId,
  );
  return {
    name: step?.name ?? null,
    failure: await failureKind(ended?.failure ?? end?.workflowExecutionFailedEventAttributes?.failure),
    attempts: started?.activityTaskStartedEventAttributes?.attempt ?? 0,
    at: dateOf(failed?.eventTime ?? end?.eventTime),
    resumeAt: step?.decidedAt ?? lastDecision(events),
  };
}

/** Whether any step was completed after an event. */
export const completedAStepAfter = (events: HistoryEvent[], eventId: number): boolean =>
  events.some(
    (event) => Number(event.eventId) > eventId && (event.activityTaskCompletedEventAttributes ?? isDoneAtOnce(event)),
  );

/** Of a step that was done within the task of its process. */
function isDoneAtOnce({ markerRecordedEventAttributes: marker }: HistoryEvent): boolean {
  return marker?.markerName === LOCAL_STEP && !marker.failure;
}

interface Step {
  eventId: number;
  name: string;
  decidedAt: number;
  open: boolean;
}

function stepsOf(events: HistoryEvent[]): Map<number, Step> {
  const steps = new Map<number, Step>();
  for (const event of events) {
    const begun = event.activityTaskScheduledEventAttributes;
    const eventId = Number(event.eventId);
    if (begun) {
      const { activityType, workflowTaskCompletedEventId } = begun;
      steps.set(eventId, {
        eventId,
        name: activityType?.name ?? '',
        decidedAt: Number(workflowTaskCompletedEventId),
        open: true,
      });
    }
    const over =
      event.activityTaskCompletedEventAttributes ??
      event.activityTaskFailedEventAttributes ??
      event.activityTaskTimedOutEventAttributes ??
      event.activityTaskCanceledEventAttributes;
    const step = over && steps.get(Number(over.scheduledEventId));
    if (step) step.open = false;
  }
  return steps;
}

function lastDecision(events: HistoryEvent[]): number | null {
  const decision = events.findLast((event) => event.workflowTaskCompletedEventAttributes);
  return decision ? Number(decision.eventId) : null;
}
