/**
 * Checks at compile time that every contract has a workflow with matching input and outcomes, and that every workflow
 * has a contract.
 */
import type { MatchingWorkflows } from './contracts/index.js';
import type * as workflows from './index.js';

export type CheckedWorkflows = MatchingWorkflows<typeof workflows>;
