/** Reads the state of a run from its events: its timers, the activity that failed, and where it can be resumed. */
import type { temporal as protobuf } from '@temporalio/proto';
import { type FailureKind, failureKind } from './failures.js';
import { dateOf, millisecondsOf } from './times.js';

/** The SDK's marker name of a local activity. */
const LOCAL_ACTIVITY_MARKER = 'core_local_activity';

type HistoryEvent = protobuf.api.history.v1.IHistoryEvent;

/** Returns when the next timer of a running process fires; null if there is none. */
export function nextTimerAt(events: HistoryEvent[]): Date | null {
  const running = new Map<number, Date>();
  for (const event of events) {
    const timer = event.timerStartedEventAttributes;
    const begun = dateOf(event.eventTime);
    if (timer && begun)
      running.set(Number(event.eventId), new Date(begun.getTime() + millisecondsOf(timer.startToFireTimeout)));
    const timerEnd = event.timerFiredEventAttributes ?? event.timerCanceledEventAttributes;
    if (timerEnd) running.delete(Number(timerEnd.startedEventId));
  }
  return [...running.values()].sort((a, b) => a.getTime() - b.getTime())[0] ?? null;
}

export interface FailedStep {
  /**
   * The activity that failed or was interrupted. Null: the workflow code failed, or the process was ended between two
   * activities.
   */
  name: string | null;
  failure: FailureKind | null;
  /** The number of attempts of the activity. */
  attempts: number;
  at: Date | null;
  /**
   * The workflow task to which Temporal must reset the run, so that this activity runs again but no earlier activity
   * does. Null if there is none.
   */
  resumeAt: number | null;
}

/** Returns the step at which a process failed or was ended. */
export async function failedStep(events: HistoryEvent[]): Promise<FailedStep> {
  const steps = stepsOf(events);
  const failed = events.findLast(
    (event) => event.activityTaskFailedEventAttributes ?? event.activityTaskTimedOutEventAttributes,
  );
  const ended = failed?.activityTaskFailedEventAttributes ?? failed?.activityTaskTimedOutEventAttributes;
  const end = events.at(-1);
  // An activity that was running when the process was ended takes precedence over one that failed earlier.
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

/** Reports whether an activity completed after an event. */
export const hasCompletedStepAfter = (events: HistoryEvent[], eventId: number): boolean =>
  events.some(
    (event) =>
      Number(event.eventId) > eventId && (event.activityTaskCompletedEventAttributes ?? isLocalCompletion(event)),
  );

/** Reports whether an event is the completion of a local activity. */
function isLocalCompletion({ markerRecordedEventAttributes: marker }: HistoryEvent): boolean {
  return marker?.markerName === LOCAL_ACTIVITY_MARKER && !marker.failure;
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
    const activityEnd =
      event.activityTaskCompletedEventAttributes ??
      event.activityTaskFailedEventAttributes ??
      event.activityTaskTimedOutEventAttributes ??
      event.activityTaskCanceledEventAttributes;
    const step = activityEnd && steps.get(Number(activityEnd.scheduledEventId));
    if (step) step.open = false;
  }
  return steps;
}

function lastDecision(events: HistoryEvent[]): number | null {
  const decision = events.findLast((event) => event.workflowTaskCompletedEventAttributes);
  return decision ? Number(decision.eventId) : null;
}
