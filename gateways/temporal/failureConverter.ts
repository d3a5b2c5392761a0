/** Failures with their messages and stacks in payloads, so that they are encrypted as those are. Loaded by its path. */
import { DefaultFailureConverter } from '@temporalio/common';

export const failureConverter = new DefaultFailureConverter({ encodeCommonAttributes: true });
