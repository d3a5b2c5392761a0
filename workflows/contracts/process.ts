/** What the rest of the platform may know about a process without loading its code. */

/** Task queues, by what they protect: money from mail, people from bulk work. */
export type TaskQueue = 'core' | 'payments' | 'notify' | 'bulk';

export interface ProcessContract<Input extends object> {
  /** The workflow type: the name of the exported function. */
  name: string;
  /** What operators filter by, as the `ProcessKind` search attribute. */
  kind: string;
  taskQueue: TaskQueue;
  /** Deterministic: the same intent is the same workflow. */
  workflowId(input: Input): string;
  /** The row that the process is about. */
  subjectId(input: Input): string;
  chapterId?(input: Input): string | undefined;
  /** One line for the Temporal UI; no names, addresses or amounts. */
  summary: string;
  /** 1 (first) to 5. */
  priority: number;
  /** Older than this, it is stuck. */
  expectedMinutes: number;
}

/** Every process acts for one organization, and is told ids only. */
export interface TenantInput {
  organizationId: string;
}
