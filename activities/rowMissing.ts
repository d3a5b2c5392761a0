import { ApplicationFailure } from '@temporalio/activity';
import { RowMissing } from '../models/errors.js';
import { NOT_FOUND } from '../workflows/contracts/failures.js';

/**
 * Runs a step. If the row that the step works on was deleted, the step fails without retry and the process ends with
 * that reason.
 */
export async function failIfRowMissing<T>(step: () => Promise<T>): Promise<T> {
  try {
    return await step();
  } catch (error) {
    if (!(error instanceof RowMissing)) throw error;
    const failure = ApplicationFailure.nonRetryable(error.message, NOT_FOUND);
    throw Object.assign(failure, { stack: error.stack });
  }
}
