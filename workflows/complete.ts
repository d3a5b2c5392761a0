/**
 * Type check: each contract has its workflow with matching input and outcomes, and each workflow has its contract.
 */
import type { Complete } from './contracts/index.js';
import type * as workflows from './index.js';

export type Workflows = Complete<typeof workflows>;
