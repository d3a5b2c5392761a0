/** Refusals of account deletion. */
import { defineErrors } from '../../errors.js';

export const deletionErrors = defineErrors({
  deletion_requested: [409, 'The deletion of this account is already requested.'],
});
