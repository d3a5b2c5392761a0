import { setCurrentDetails, upsertSearchAttributes } from '@temporalio/workflow';
import type { ProcessFacts } from './contracts/process.js';
import { Stage } from './contracts/searchAttributes.js';

/** Names of all stages and outcomes of a contract. */
type StageOf<Facts extends ProcessFacts> = (keyof Facts['stages'] | keyof Facts['ends']) & string;

/**
 * Returns a function that shows a process's stage: as a search attribute, and in the contract's words in the Temporal
 * UI.
 */
export const stagesOf =
  <Facts extends ProcessFacts>({ stages, ends }: Facts) =>
  (value: StageOf<Facts>): void => {
    upsertSearchAttributes([{ key: Stage, value }]);
    setCurrentDetails({ ...stages, ...ends }[value] ?? '');
  };
