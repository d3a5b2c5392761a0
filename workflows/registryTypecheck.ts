/** Type check: every contract has a workflow with matching input and outcomes, and every workflow has a contract. */
import type { MatchingWorkflows } from './contracts/index.js';
import type * as workflows from './index.js';

export type CheckedWorkflows = MatchingWorkflows<typeof workflows>;
