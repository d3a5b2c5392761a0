import { setCurrentDetails, upsertSearchAttributes } from '@temporalio/workflow';
import type { ProcessFacts } from './contracts/process.js';
import { Stage } from './contracts/searchAttributes.js';

/** Every name that an entry has a sentence for: where its process stands, or how it has ended. */
type StageOf<Facts extends ProcessFacts> = (keyof Facts['stages'] | keyof Facts['ends']) & string;

/** Shows operators how far a process has come: by name to find it, and in the words of its entry in the Temporal UI. */
export const stagesOf =
  <Facts extends ProcessFacts>({ stages, ends }: Facts) =>
  (value: StageOf<Facts>): void => {
    upsertSearchAttributes([{ key: Stage, value }]);
    setCurrentDetails({ ...stages, ...ends }[value] ?? '');
  };
