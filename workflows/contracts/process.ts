/**
 * Contracts: the facts of each kind of process, without loading its code. The compiler requires one contract per kind.
 */
import type { CalendarSpec } from '@temporalio/client';
import type { Duration } from '@temporalio/common';
import type { FailureTexts } from './failures.js';

/** Task queues. They separate payments from mail, and people's requests from bulk work. */
export type TaskQueue = 'core' | 'payments' | 'notify' | 'bulk';

/** Sentences for operators, by name. They contain no names of people, addresses or amounts. */
type Sentences<Name extends string = string> = Readonly<Record<Name, string>>;

/**
 * Says when an operator may cancel a process, and how that affects its rows: `as_they_are` (they stay) or `changed` (by
 * `models/processes/rowParts.ts`). A process may find its rows cancelled before the cancellation itself reaches it:
 * `outcomeWhenCancelled` is the outcome with which it then ends, and null means that it always waits for the
 * cancellation.
 */
export type CancelRule = {
  /** Says what remains after cancelling, or why the process cannot be cancelled. */
  says: string;
} & (
  | { when: 'never' }
  | { when: 'any_time'; rows: 'as_they_are' }
  | { when: 'any_time'; rows: 'changed'; outcomeWhenCancelled: string | null }
  | { when: 'before_money'; rows: 'changed'; outcomeWhenCancelled: string | null; stages: readonly string[] }
);

/** Facts of a kind of process for operators. */
export interface ProcessFacts<End extends string = string> {
  /** The workflow type: the name of the exported function. */
  name: string;
  /** Value of the `ProcessKind` search attribute. */
  kind: string;
  taskQueue: TaskQueue;
  /** 1 is the highest priority, 5 the lowest. */
  priority: 1 | 2 | 3 | 4 | 5;
  /** One line for the Temporal UI. */
  summary: string;
  /** A process that runs for longer than this is stuck; null: no limit. */
  expectedMinutes: number | null;
  /**
   * Says who may see the process: the admins of its organization, the admins of its foundation, or only platform admins,
   * because the process belongs to no organization.
   */
  seenBy: 'organization' | 'foundation' | 'platform';
  /**
   * Whether the process moves money. `by_rows`: its rows tell whether it has, as read by
   * `models/processes/rowParts.ts`.
   */
  money: 'never' | 'by_rows';
  /** Stages by name. */
  stages: Sentences;
  /** Outcomes by name, as the workflow returns them. */
  ends: Sentences<End>;
  /**
   * What the process waits for while a step is pending, by the name of the step. Each text completes the sentence
   * 'Waits for …'.
   */
  steps: Sentences;
  /** What the process waits for while it sleeps, as a text for 'Waits for …'; null: it never sleeps. */
  sleepsUntil: string | null;
  /** Failures of its steps, in addition to those that any step may have. */
  failures: FailureTexts;
  cancel: CancelRule;
}

/** Contract of a process that the outbox or another process starts. */
export interface ProcessContract<Input extends ProcessInput = ProcessInput, End extends string = string>
  extends ProcessFacts<End> {
  seenBy: ProcessInput extends Input
    ? ProcessFacts['seenBy']
    : Input extends TenantInput
      ? 'organization' | 'foundation'
      : 'platform';
  /** Deterministic: the same intent always has the same workflow id. */
  workflowId(input: Input): string;
  /**
   * Whether a process may be started again under the same workflow id after it has ended. If not, an intent starts at
   * most one process.
   */
  allowRestart: boolean;
  /**
   * How a process is started again if it was lost: `rows`: recovery finds its row in `app.pending_intents`; `schedule`:
   * a Schedule finds the same work again.
   */
  recoveredBy: 'rows' | 'schedule';
  /** Whether many rows may normally be pending at a time. Lost processes of such a kind are searched for last. */
  waitingRows: 'few' | 'many';
  /** The row that the process is about: its type, and the input field with its id. */
  subject: { type: string; id: ProcessInput extends Input ? string : keyof Input & string };
  /** The chapter of the process; null if it has none. */
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
  /** How late a missed run may still start after an outage. */
  catchupWindow: Duration;
}

/** Contract of a process that a Schedule starts, which belongs to no organization. */
export interface ScheduledProcess<End extends string = string> extends ProcessFacts<End> {
  seenBy: 'platform';
  schedule: Schedule;
}

/** Input of every process. It contains ids only. */
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

/** Facts of most processes of an organization. */
export const tenantProcess = {
  allowRestart: false,
  recoveredBy: 'rows',
  waitingRows: 'few',
  seenBy: 'organization',
  chapterId: () => null,
  sleepsUntil: null,
  failures: {},
} as const;

/** Facts of a process that works through rows of an organization in batches, and moves no money. */
export const bulkProcess = {
  ...tenantProcess,
  taskQueue: 'bulk',
  priority: 3,
  expectedMinutes: 30,
  money: 'never',
} as const;

/**
 * Facts of a process that a Schedule starts for an organization that has work on a day. If it is lost, the Schedule
 * finds the same work again and starts it with the same workflow id.
 */
export const dailyProcess = {
  ...bulkProcess,
  priority: 4,
  allowRestart: true,
  recoveredBy: 'schedule',
  subject: { type: 'organization', id: 'organizationId' },
  example: () => ({ day: '1999-12-31' }),
} as const;

/** Facts of a process that a Schedule starts, which belongs to no organization. */
export const scheduledProcess = {
  taskQueue: 'bulk',
  priority: 4,
  seenBy: 'platform',
  expectedMinutes: 30,
  money: 'never',
  sleepsUntil: null,
  failures: {},
} as const;

/** Cancel rule of a process that an operator may cancel at any time, and whose rows then end as cancelled. */
export const cancelsRows = { when: 'any_time', rows: 'changed', outcomeWhenCancelled: 'cancelled' } as const;

/** Cancel rule of a process that an operator may cancel at any time, and whose rows then stay as they are. */
export const keepsRows = { when: 'any_time', rows: 'as_they_are' } as const;
