import { defineErrors } from '../../errors.js';

/** Refusals about files. */
export const fileErrors = defineErrors({
  storage_unavailable: [503, 'Files cannot be reached at the moment. Everything else goes on. Try again shortly.'],
  too_many_files: [409, 'You have uploaded too many files today. Try again tomorrow.'],
});
