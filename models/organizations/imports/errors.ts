import { defineErrors } from '../../errors.js';

/** Error codes of imports. */
export const importErrors = defineErrors({
  import_busy: [409, 'A step of this import is running. Wait until it is done.'],
  import_ended: [409, 'This import has ended.'],
  import_not_ready: [409, 'This import has not reached this step yet.'],
  import_not_undoable: [409, 'An import can be undone once, within 24 hours after its end.'],
});
