/**
 * Facts of each kind of process, without loading its code: one contract per kind. The compiler requires all of them.
 */
import type { CalendarSpec } from '@temporalio/client';
import type { Duration } from '@temporalio/common';
import type { FailureWords } from './failures.js';

/** Task queues by what they protect: payments from mail, people from bulk work. */
export type TaskQueue = 'core' | 'payments' | 'notify' | 'bulk';

/** Sentences by name, for operators: without names of people, addresses or amounts. */
type Words<Name extends string = string> = Readonly<Record<Name, string>>;

/**
 * When an operator may cancel a process, and what that does to its rows: `as_they_are`, since the process ends by
 * itself, or `changed`, as `models/processes/rowParts.ts` says. `endsAs` is the outcome when the process finds its
 * rows cancelled before it is cancelled itself; null: it always waits for its cancellation.
 */
export type CancelRule = {
  /** For people: what remains after cancelling, or why it cannot be cancelled. */
  says: string;
} & (
  | { when: 'never' }
  | { when: 'any_time'; rows: 'as_they_are' }
  | { when: 'any_time'; rows: 'changed'; endsAs: string | null }
  | { when: 'before_money'; rows: 'changed'; endsAs: string | null; stages: readonly string[] }
);

/** Facts of a kind of process for operators. */
export interface ProcessFacts<End extends string = string> {
  /** The workflow type: the name of the exported function. */
  name: string;
  /** Value of the `ProcessKind` search attribute. */
  kind: string;
  taskQueue: TaskQueue;
  /** 1 (first) to 5. */
  priority: 1 | 2 | 3 | 4 | 5;
  /** One line for the Temporal UI. */
  summary: string;
  /** A process older than this is stuck; null: no limit. */
  expectedMinutes: number | null;
  /** Who sees it: the admins of its organization, or platform admins only, because it belongs to no organization. */
  seenBy: 'organization' | 'platform';
  /** Whether it moves money: `by_rows` as `models/processes/rowParts.ts` reads it. */
  money: 'never' | 'by_rows';
  /** Stages by name. */
  stages: Words;
  /** Outcomes by name, as its workflow returns them. */
  ends: Words<End>;
  /** What the process waits for while a step is not done, by the step's name. */
  steps: Words;
  /** What it waits for while it sleeps; null: it never sleeps. */
  sleepsUntil: string | null;
  /** Failures of its steps, besides those of any step. */
  failures: FailureWords;
  cancel: CancelRule;
}

/** Contract of a process that an intent starts. */
export interface ProcessContract<Input extends ProcessInput = ProcessInput, End extends string = string>
  extends ProcessFacts<End> {
  seenBy: ProcessInput extends Input ? ProcessFacts['seenBy'] : Input extends TenantInput ? 'organization' : 'platform';
  /** Deterministic: the same intent has the same workflow id. */
  workflowId(input: Input): string;
  /** Whether its workflow id may be started again after it ended; otherwise one intent is one process for good. */
  livesAgain: boolean;
  /** What restarts a lost process: recovery by `app.pending_intents`, or a Schedule that returns to the same work. */
  recoveredBy: 'rows' | 'schedule';
  /** Whether many rows may wait at a time without a fault; lost rows of such a kind are searched for last. */
  waitingRows: 'few' | 'many';
  /** The row that the process is about: its type, and the input field with its id. */
  subject: { type: string; id: ProcessInput extends Input ? string : keyof Input & string };
  /** The chapter of the process; null: none. */
  chapterId(input: Input): string | null;
  /** Input for tests, with ids of rows that do not exist. */
  example(newId: () => string): Omit<Input, 'organizationId'>;
}

/** When a Schedule starts its process. */
export interface Schedule {
  /** Id of the Schedule and of its workflow. */
  id: string;
  /** Calendar times in UTC: minute and hour are required; days, weekdays and months default to all. */
  calendars: readonly (CalendarSpec & Required<Pick<CalendarSpec, 'minute' | 'hour'>>)[];
  /** How late a run may still be made up for, after an outage. */
  catchupWindow: Duration;
}

/** Contract of a process that a Schedule starts, which belongs to no organization. */
export interface ScheduledProcess<End extends string = string> extends ProcessFacts<End> {
  seenBy: 'platform';
  schedule: Schedule;
}

/** Input of every process: ids only. */
export interface ProcessInput {
  organizationId: string | null;
}

/** Input of a process of one organization. */
export interface TenantInput extends ProcessInput {
  organizationId: string;
}

/** Input of a process about a person's account, which belongs to no organization. */
export interface PersonInput extends ProcessInput {
  organizationId: null;
}
