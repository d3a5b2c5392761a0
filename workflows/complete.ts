/** Compiles only while each entry has its workflow, with its input and its ends, and each workflow has its entry. */
import type { Complete } from './contracts/index.js';
import type * as workflows from './index.js';

export type Workflows = Complete<typeof workflows>;
