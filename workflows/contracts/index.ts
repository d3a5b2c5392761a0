/** All processes by name, for the outbox and the operators. */
import { applyProcessorEvent } from './applyProcessorEvent.js';
import { checkSamlConnections } from './checkSamlConnections.js';
import { deleteAccount } from './deleteAccount.js';
import { hostedPage } from './hostedPage.js';
import { giveBackPayment } from './giveBackPayment.js';
import { issueDues } from './issueDues.js';
import { markOverdue } from './markOverdue.js';
import { markOverdueEverywhere } from './markOverdueEverywhere.js';
import { payRemittance } from './payRemittance.js';
import type { ProcessContract, ProcessFacts } from './process.js';
import { recoverProcesses } from './recoverProcesses.js';
import { sendAccountNotice } from './sendAccountNotice.js';
import { sendOverdueNotices } from './sendOverdueNotices.js';

export type { ProcessContract, ProcessFacts, TaskQueue } from './process.js';
export {
  applyProcessorEvent,
  deleteAccount,
  giveBackPayment,
  hostedPage,
  issueDues,
  markOverdue,
  payRemittance,
  sendAccountNotice,
  sendOverdueNotices,
};

export const TASK_QUEUES = ['core', 'payments', 'notify', 'bulk'] as const;

/** Each process that an intent can start. */
export const PROCESSES = [
  payRemittance,
  hostedPage,
  applyProcessorEvent,
  issueDues,
  markOverdue,
  sendOverdueNotices,
  sendAccountNotice,
  deleteAccount,
  giveBackPayment,
];

/** What operators are told about every kind, those that schedules start included. */
export const PROCESS_KINDS: readonly ProcessFacts[] = [
  ...PROCESSES,
  markOverdueEverywhere,
  recoverProcesses,
  checkSamlConnections,
];

const contracts = new Map(PROCESSES.map((contract) => [contract.name, contract as unknown as ProcessContract<never>]));
const facts = new Map(PROCESS_KINDS.map((kind) => [kind.name, kind]));

/** @throws Error for a name that no process has */
export function processByName(name: string): ProcessContract<never> {
  const contract = contracts.get(name);
  if (!contract) throw new Error(`There is no process ${name}.`);
  return contract;
}

/** What operators are told about the processes of a workflow type; undefined for a type that is not ours. */
export const factsByName = (name: string): ProcessFacts | undefined => facts.get(name);

/** What a process is about, as its contract says; undefined where it is about no row. */
export const subjectTypeOf = (name: string): string | undefined => contracts.get(name)?.subject.type;
