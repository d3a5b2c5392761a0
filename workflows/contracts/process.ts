/** What is known of a kind of process, without loading its code: one entry a kind. The compiler demands all of it. */
import type { CalendarSpec } from '@temporalio/client';
import type { Duration } from '@temporalio/common';
import type { FailureWords } from './failures.js';

/** Task queues, by what they protect: money from mail, people from bulk work. */
export type TaskQueue = 'core' | 'payments' | 'notify' | 'bulk';

/** Sentences by name, for operators: no names of people, no addresses, no amounts. */
type Words<Name extends string = string> = Readonly<Record<Name, string>>;

/**
 * When an operator may cancel a process, and what that means to its rows: `as_they_are`, since the process ends itself, or
 * `changed`, as `models/processes/rowParts.ts` says. `endsAs`, one of its ends, is how it ends where it finds its rows changed before it
 * is asked to end; null: it always waits to be asked.
 */
export type CancelRule = {
  /** For people: what is left behind, or why it cannot be. */
  says: string;
} & (
  | { when: 'never' }
  | { when: 'any_time'; rows: 'as_they_are' }
  | { when: 'any_time'; rows: 'changed'; endsAs: string | null }
  | { when: 'before_money'; rows: 'changed'; endsAs: string | null; stages: readonly string[] }
);

/** What operators are told about all processes of a kind. */
export interface ProcessFacts<End extends string = string> {
  /** The workflow type: the name of the exported function. */
  name: string;
  /** What operators filter by, as the `ProcessKind` search attribute. */
  kind: string;
  taskQueue: TaskQueue;
  /** 1 (first) to 5. */
  priority: 1 | 2 | 3 | 4 | 5;
  /** One line for the Temporal UI. */
  summary: string;
  /** Older than this, it is stuck; null: it takes as long as it takes. */
  expectedMinutes: number | null;
  /** The admins of its organization, or platform admins alone, since it is no organization's. */
  seenBy: 'organization' | 'platform';
  /** Whether money moves in it: `by_rows` as `models/processes/rowParts.ts` reads it. */
  money: 'never' | 'by_rows';
  /** Where it can stand. */
  stages: Words;
  /** How it ends by itself: the names that its workflow returns. */
  ends: Words<End>;
  /** What it waits for while a step is not done, by the step's name. */
  steps: Words;
  /** What it waits for while it sleeps; null: it never does. */
  sleepsUntil: string | null;
  /** What its steps may fail with, besides what any step may. */
  failures: FailureWords;
  cancel: CancelRule;
}

/** Of a process that an intent starts. */
export interface ProcessContract<Input extends ProcessInput = ProcessInput, End extends string = string>
  extends ProcessFacts<End> {
  seenBy: ProcessInput extends Input ? ProcessFacts['seenBy'] : Input extends TenantInput ? 'organization' : 'platform';
  /** Deterministic: the same intent is the same workflow. */
  workflowId(input: Input): string;
  /** Whether its id may be started again once it has ended; else one intent is one process for good. */
  livesAgain: boolean;
  /** Who finds it when it is lost: recovery, by `app.pending_intents`; or a schedule, which comes to the same work again. */
  recoveredBy: 'rows' | 'schedule';
  /** How many rows may wait at a time though nothing is wrong: of many, those that are lost are looked for last. */
  waitingRows: 'few' | 'many';
  /** The row that the process is about: what it is, and which field of the input names it. */
  subject: { type: string; id: ProcessInput extends Input ? string : keyof Input & string };
  /** The chapter whose process it is; null: no chapter's. */
  chapterId(input: Input): string | null;
  /** An input for tests, of rows that are not there. */
  example(newId: () => string): Omit<Input, 'organizationId'>;
}

/** When a Schedule starts its process. */
export interface Schedule {
  /** The Schedule's, and its workflow's. */
  id: string;
  /** Moments of the calendar, in UTC: minute and hour are always said, days, weekdays and months where not each is meant. */
  calendars: readonly (CalendarSpec & Required<Pick<CalendarSpec, 'minute' | 'hour'>>)[];
  /** How late a run may still be made up for, after an outage. */
  catchupWindow: Duration;
}

/** Of a process that a Schedule starts, for no organization. */
export interface ScheduledProcess<End extends string = string> extends ProcessFacts<End> {
  seenBy: 'platform';
  schedule: Schedule;
}

/** What every process is told: ids only. */
export interface ProcessInput {
  organizationId: string | null;
}

/** Of a process that acts for one organization. */
export interface TenantInput extends ProcessInput {
  organizationId: string;
}

/** Of a process about a person's account, which is no organization's. */
export interface PersonInput extends ProcessInput {
  organizationId: null;
}
