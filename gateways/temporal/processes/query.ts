/** Visibility queries, built from values that were checked: kinds and states by name, ids as UUIDs, moments as dates. */
import { type ProcessFacts, TASK_QUEUES } from '../../../workflows/contracts/index.js';
import { queueName } from '../client.js';

/** How Temporal calls the states in which a process can be. */
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
  /** null: of every organization, and of none. */
  organizationId: string | null;
  kind?: string | undefined;
  status?: ExecutionStatus | undefined;
  subjectId?: string | undefined;
  /** Inclusive. */
  startedAfter?: Date | undefined;
  /** Exclusive. */
  startedBefore?: Date | undefined;
}

/** Whether a text is like the ids, names and moments that we make. */
export const canBeLiteral = (value: string): boolean => /^[\w.:/-]{1,1000}$/.test(value);

/** A value as the query language writes it. @throws Error for what no id, name or moment of ours holds */
export function literal(value: string): string {
  if (!canBeLiteral(value)) throw new Error('A value does not belong into a query.');
  return `'${value}'`;
}

/** Whether a task queue is one of this deployment's. */
export const isOurQueue = (taskQueue: string): boolean => TASK_QUEUES.some((queue) => queueName(queue) === taskQueue);

/** What belongs to this deployment, and is not the first part of something that went on under the same id. */
const OURS = (): string =>
  `TaskQueue IN (${TASK_QUEUES.map((queue) => literal(queueName(queue))).join(', ')}) AND ExecutionStatus != 'ContinuedAsNew'`;

/** @param more conditions in the query language */
export function visibilityQuery(filters: ExecutionFilters, ...more: string[]): string {
  const { organizationId, kind, status, subjectId, startedAfter, startedBefore } = filters;
  const conditions = [
    OURS(),
    organizationId && `OrganizationId = ${literal(organizationId)}`,
    kind && `ProcessKind = ${literal(kind)}`,
    status && `ExecutionStatus = ${literal(STATES[status])}`,
    subjectId && `SubjectId = ${literal(subjectId)}`,
    startedAfter && `StartTime >= ${literal(startedAfter.toISOString())}`,
    startedBefore && `StartTime < ${literal(startedBefore.toISOString())}`,
    ...more,
  ];
  return conditions.filter(Boolean).join(' AND ');
}

type Expected = readonly Pick<ProcessFacts, 'kind' | 'expectedMinutes'>[];

/** Those that run longer than their kind is expected to: never one that takes as long as it takes. */
export function overdueCondition(kinds: Expected, now: Date): string {
  const choices = kinds.flatMap(({ kind, expectedMinutes }) =>
    expectedMinutes === null ? [] : [`(${ofKind(kind)} AND StartTime < ${before(now, expectedMinutes)})`],
  );
  return anyOf(choices);
}

/** Those that are within what their kind is expected to take. */
export function timelyCondition(kinds: Expected, now: Date): string {
  const choices = kinds.map(({ kind, expectedMinutes }) =>
    expectedMinutes === null ? ofKind(kind) : `(${ofKind(kind)} AND StartTime >= ${before(now, expectedMinutes)})`,
  );
  return anyOf(choices);
}

const anyOf = (choices: string[]): string => `(${choices.join(' OR ')})`;
const ofKind = (kind: string): string => `ProcessKind = ${literal(kind)}`;
const before = (now: Date, minutes: number): string =>
  literal(new Date(now.getTime() - minutes * 60_000).toISOString());
