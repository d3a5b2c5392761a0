/** All processes by name, for the outbox and the operators. */
import { applyProcessorEvent } from './applyProcessorEvent.js';
import { issueDues } from './issueDues.js';
import { markOverdue } from './markOverdue.js';
import { payRemittance } from './payRemittance.js';
import type { ProcessContract } from './process.js';
import { sendOverdueNotices } from './sendOverdueNotices.js';

export type { ProcessContract, TaskQueue } from './process.js';
export { applyProcessorEvent, issueDues, markOverdue, payRemittance, sendOverdueNotices };

export const TASK_QUEUES = ['core', 'payments', 'notify', 'bulk'] as const;

/** Each process that an intent can start. */
export const PROCESSES = [payRemittance, applyProcessorEvent, issueDues, markOverdue, sendOverdueNotices];

const byName = new Map(PROCESSES.map((contract) => [contract.name, contract as unknown as ProcessContract<never>]));

/** @throws Error for a name that no process has */
export function processByName(name: string): ProcessContract<never> {
  const contract = byName.get(name);
  if (!contract) throw new Error(`There is no process ${name}.`);
  return contract;
}
