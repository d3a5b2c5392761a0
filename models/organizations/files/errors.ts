import { defineErrors } from '../../errors.js';

/** Refusals about files. */
export const fileErrors = defineErrors({
  storage_unavailable: [503, 'Files cannot be reached at the moment. Everything else goes on. Try again shortly.'],
  too_many_files: [409, 'You have uploaded too many files today. Try again tomorrow.'],
  no_own_store: [409, 'This organization has no store of its own.'],
  too_many_stores: [409, 'Files lie in too many stores already.'],
});
