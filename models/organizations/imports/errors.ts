import { defineErrors } from '../../errors.js';

/** Refusals about imports. */
export const importErrors = defineErrors({
  import_busy: [409, 'This import is being worked on. Wait until its step is done.'],
  import_ended: [409, 'This import has ended.'],
  import_not_ready: [409, 'This import is not that far yet.'],
  import_not_undoable: [409, 'An import is taken back once, within 24 hours of its end.'],
});
