import { ApplicationFailure } from '@temporalio/activity';
import { RowMissing } from '../models/errors.js';
import { NOT_FOUND } from '../workflows/contracts/failures.js';

/** Runs a step. Where the row that it is about is gone, it fails for good: the process ends, and says why. */
export async function endingWithoutRow<T>(step: () => Promise<T>): Promise<T> {
  try {
    return await step();
  } catch (error) {
    if (!(error instanceof RowMissing)) throw error;
    const failure = ApplicationFailure.nonRetryable(error.message, NOT_FOUND);
    throw Object.assign(failure, { stack: error.stack });
  }
}
