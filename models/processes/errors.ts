import { defineErrors } from '../errors.js';

/** Refusals of operators' requests to act on a process. A refused request has changed nothing. */
export const processErrors = defineErrors({
  process_finished: [409, 'This process has already ended, so it cannot be retried or cancelled.'],
  nothing_to_retry: [409, 'No step of this process has failed; there is nothing to try again.'],
  process_being_cancelled: [409, 'This process is being cancelled.'],
  process_not_cancellable: [409, 'A process of this kind cannot be cancelled.'],
  money_may_have_moved: [409, 'This process can no longer be cancelled, because money may already have moved.'],
  process_changed: [409, 'This process has progressed in the meantime. Load it again.'],
  bulk_action_finished: [409, 'This bulk action has already ended.'],
  process_of_platform: [
    409,
    'The platform runs this process on a schedule. It cannot be retried or cancelled; it runs again at its next time.',
  ],
});
