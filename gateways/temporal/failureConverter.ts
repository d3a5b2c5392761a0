/**
 * Encodes the messages and stacks of failures into payloads, so that they are encrypted like other payloads. Loaded by
 * its path.
 */
import { DefaultFailureConverter } from '@temporalio/common';

export const failureConverter = new DefaultFailureConverter({ encodeCommonAttributes: true });
