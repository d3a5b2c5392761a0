/** What the deletion of an account refuses. */
import { defineErrors } from '../../errors.js';

export const deletionErrors = defineErrors({
  deletion_requested: [409, 'This account is to be deleted already.'],
});
