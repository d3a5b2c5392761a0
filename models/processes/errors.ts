import { defineErrors } from '../errors.js';

/** Why an operator's request to a process is refused. Nothing was done then. */
export const processErrors = defineErrors({
  process_finished: [409, 'This process has ended.'],
  nothing_to_retry: [409, 'No step of this process has failed; there is nothing to try again.'],
  process_being_cancelled: [409, 'This process is being cancelled.'],
  process_not_cancellable: [409, 'A process of this kind cannot be cancelled.'],
  money_may_have_moved: [409, 'Money may have moved already, so that this can no longer be cancelled.'],
  process_changed: [409, 'This process has gone on in the meantime. Look at it again.'],
  process_of_platform: [409, 'A schedule runs this by itself, and again when it is due.'],
});
