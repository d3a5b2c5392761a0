import { defineErrors } from '../../errors.js';

/** Error codes of imports. */
export const importErrors = defineErrors({
  import_busy: [409, 'A step of this import is running. Wait until it is done.'],
  import_ended: [409, 'This import has ended and can no longer be changed.'],
  import_not_ready: [
    409,
    'This step is not possible now: an earlier step of the import is not complete, or the import added no people.',
  ],
  import_not_undoable: [409, 'An import can be undone once, within 24 hours after its end.'],
});
