/** Builds visibility queries from validated values: kinds and states by name, ids as UUIDs, times as dates. */
import { type ProcessFacts, TASK_QUEUES } from '../../../workflows/contracts/index.js';
import { queueName } from '../client.js';

/** Temporal's names of the states. */
export const STATES = {
  running: 'Running',
  completed: 'Completed',
  failed: 'Failed',
  cancelled: 'Canceled',
  terminated: 'Terminated',
  timed_out: 'TimedOut',
} as const;

export type ExecutionStatus = keyof typeof STATES;
export const EXECUTION_STATUSES = Object.keys(STATES) as ExecutionStatus[];

export interface ExecutionFilters {
  /** The organization; null: processes of all organizations, and processes without an organization. */
  organizationId: string | null;
  /** null: all kinds. */
  kinds?: ReadonlySet<string> | null;
  kind?: string | undefined;
  status?: ExecutionStatus | undefined;
  subjectId?: string | undefined;
  chapterId?: string | undefined;
  /** Start of the time span, inclusive. */
  startedAfter?: Date | undefined;
  /** End of the time span, exclusive. */
  startedBefore?: Date | undefined;
}

/** Reports whether a text looks like our ids, names and times. */
export const canBeLiteral = (value: string): boolean => /^[\w.:/-]{1,1000}$/.test(value);

/**
 * Returns a literal of the query language.
 * @throws Error for a text that is not one of our ids, names or times
 */
export function literal(value: string): string {
  if (!canBeLiteral(value)) throw new Error('The value cannot be used in a query.');
  return `'${value}'`;
}

/** Reports whether a task queue belongs to this deployment. */
export const isOurQueue = (taskQueue: string): boolean => TASK_QUEUES.some((queue) => queueName(queue) === taskQueue);

/** Returns the condition for executions of this deployment. */
const ownQueues = (): string => `TaskQueue IN (${TASK_QUEUES.map((queue) => literal(queueName(queue))).join(', ')})`;

/** Returns the condition for executions of this deployment, without runs that were continued as new. */
const ownExecutions = (): string => `${ownQueues()} AND ExecutionStatus != 'ContinuedAsNew'`;

/**
 * Returns the query for the processes that match the filters.
 * @param more further conditions in the query language
 */
export function visibilityQuery(filters: ExecutionFilters, ...more: string[]): string {
  const { organizationId, kinds, kind, status, subjectId, chapterId, startedAfter, startedBefore } = filters;
  const conditions = [
    ownExecutions(),
    organizationId && `OrganizationId = ${literal(organizationId)}`,
    kinds && `ProcessKind IN (${[...kinds].map(literal).join(', ')})`,
    kind && `ProcessKind = ${literal(kind)}`,
    status && `ExecutionStatus = ${literal(STATES[status])}`,
    subjectId && `SubjectId = ${literal(subjectId)}`,
    chapterId && `ChapterId = ${literal(chapterId)}`,
    startedAfter && `StartTime >= ${literal(startedAfter.toISOString())}`,
    startedBefore && `StartTime < ${literal(startedBefore.toISOString())}`,
    ...more,
  ];
  return conditions.filter(Boolean).join(' AND ');
}

type Expected = readonly Pick<ProcessFacts, 'kind' | 'expectedMinutes'>[];

/**
 * Returns the condition for processes that run longer than expected; kinds without an expected duration are never
 * included.
 */
export function overdueCondition(kinds: Expected, now: Date): string {
  const choices = kinds.flatMap(({ kind, expectedMinutes }) =>
    expectedMinutes === null ? [] : [`(${ofKind(kind)} AND StartTime < ${before(now, expectedMinutes)})`],
  );
  return anyOf(choices);
}

/**
 * Returns the query for runs that were continued as new within the expected duration of their kind. Such a process may
 * run longer than expected although its current run is young.
 */
export function continuedRunsQuery(kinds: Expected, now: Date): string {
  const choices = kinds.flatMap(({ kind, expectedMinutes }) =>
    expectedMinutes === null ? [] : [`(${ofKind(kind)} AND CloseTime >= ${before(now, expectedMinutes)})`],
  );
  return `${ownQueues()} AND ExecutionStatus = 'ContinuedAsNew' AND ${anyOf(choices)}`;
}

const anyOf = (choices: string[]): string => `(${choices.join(' OR ')})`;
const ofKind = (kind: string): string => `ProcessKind = ${literal(kind)}`;
const before = (now: Date, minutes: number): string =>
  literal(new Date(now.getTime() - minutes * 60_000).toISOString());
