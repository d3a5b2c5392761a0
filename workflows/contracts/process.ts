/** What the rest of the platform may know about a process without loading its code. */

/** Task queues, by what they protect: money from mail, people from bulk work. */
export type TaskQueue = 'core' | 'payments' | 'notify' | 'bulk';

/** When an operator may cancel a process. */
export type CancelRule = {
  /** For people: what is left behind, or why it cannot be. */
  says: string;
} & ({ when: 'any_time' | 'never' } | { when: 'before_money'; stages: readonly string[] });

/** What operators are told about all processes of a kind. */
export interface ProcessFacts {
  /** The workflow type: the name of the exported function. */
  name: string;
  /** What operators filter by, as the `ProcessKind` search attribute. */
  kind: string;
  taskQueue: TaskQueue;
  /** One line for the Temporal UI; no names, addresses or amounts. */
  summary: string;
  /** 1 (first) to 5. */
  priority: number;
  /** Older than this, it is stuck. */
  expectedMinutes: number;
  /** What the process waits for while a step is not done, by the step's name. */
  steps: Readonly<Record<string, string>>;
  /** What it waits for while it sleeps. */
  sleepsUntil?: string;
  cancel: CancelRule;
}

export interface ProcessContract<Input extends object> extends ProcessFacts {
  /** Deterministic: the same intent is the same workflow. */
  workflowId(input: Input): string;
  /** The row that the process is about: what it is, and which field of the input names it. */
  subject: { type: string; id: keyof Input & string };
  chapterId?(input: Input): string | undefined;
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
