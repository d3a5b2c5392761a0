import { factsByKind, type ProcessFacts } from '../../workflows/contracts/index.js';
import { type ProcessInput, type MoneyMoved, rowPartOf } from './rowParts.js';

/**
 * Reports whether money has moved in a process: `unknown` when its input cannot be read. Call it in the process's
 * tenant, if it has one.
 */
export async function moneyMoved({ kind }: ProcessFacts, input: ProcessInput | null): Promise<MoneyMoved> {
  return (await moneyMovedIn([{ workflowId: '', kind, input: input ?? {} }])).get('') ?? 'unknown';
}

interface ProcessOfKind {
  workflowId: string;
  kind: string;
  /** Empty when it cannot be read. */
  input: ProcessInput;
}

/**
 * Reports whether money has moved in each of these processes of one tenant, by workflow id, with at most two statements
 * a kind. Call it in that tenant.
 */
export async function moneyMovedIn(processes: readonly ProcessOfKind[]): Promise<ReadonlyMap<string, MoneyMoved>> {
  const moved = new Map<string, MoneyMoved>();
  for (const kind of new Set(processes.map((process) => process.kind))) {
    const ofKind = processes.filter((process) => process.kind === kind);
    const facts = factsByKind(kind);
    const readMoney = facts && rowPartOf(facts.name)?.moneyMoved;
    const readable = readMoney ? ofKind.filter(({ input }) => Object.keys(input).length > 0) : [];
    const found = readMoney && readable.length > 0 ? await readMoney(readable.map(({ input }) => input)) : [];
    for (const { workflowId } of ofKind) moved.set(workflowId, facts?.money === 'never' ? 'no' : 'unknown');
    readable.forEach(({ workflowId }, at) => moved.set(workflowId, found[at] ?? 'unknown'));
  }
  return moved;
}
