import { upsertSearchAttributes } from '@temporalio/workflow';
import { Stage } from './contracts/searchAttributes.js';

/** Shows operators how far a process has come. */
export const stage = (value: string): void => upsertSearchAttributes([{ key: Stage, value }]);
