import type { ProcessFacts } from '../../workflows/contracts/index.js';
import { type GivenInput, type MoneyMoved, rowPartOf } from './rowParts.js';

/** Whether money has moved in a process; `unknown` where its input cannot be read. Needs its tenant, where it has one. */
export async function moneyMoved({ name, money }: ProcessFacts, input: GivenInput | null): Promise<MoneyMoved> {
  if (money === 'never') return 'no';
  return (input && (await rowPartOf(name)?.moneyMoved?.(input))) ?? 'unknown';
}
