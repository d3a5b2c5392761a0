import { setCurrentDetails, upsertSearchAttributes } from '@temporalio/workflow';
import type { ProcessFacts } from './contracts/process.js';
import { Stage } from './contracts/searchAttributes.js';

/** All stages and outcomes of a contract. */
type StageOf<Facts extends ProcessFacts> = (keyof Facts['stages'] | keyof Facts['ends']) & string;

/**
 * Returns a function that shows a process's stage: as search attribute, and in the words of its contract in the
 * Temporal UI.
 */
export const stagesOf =
  <Facts extends ProcessFacts>({ stages, ends }: Facts) =>
  (value: StageOf<Facts>): void => {
    upsertSearchAttributes([{ key: Stage, value }]);
    setCurrentDetails({ ...stages, ...ends }[value] ?? '');
  };
