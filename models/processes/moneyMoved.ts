import type { ProcessFacts } from '../../workflows/contracts/index.js';
import { type ProcessInput, type MoneyMoved, rowPartOf } from './rowParts.js';

/**
 * Reports whether money has moved in a process: `unknown` when its input cannot be read. Call it in the process's
 * tenant, if it has one.
 */
export async function moneyMoved({ name, money }: ProcessFacts, input: ProcessInput | null): Promise<MoneyMoved> {
  if (money === 'never') return 'no';
  return (input && (await rowPartOf(name)?.moneyMoved?.(input))) ?? 'unknown';
}
