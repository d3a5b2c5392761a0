import { defineErrors } from '../../errors.js';

/** Errors of decisions on money cases. */
export const caseErrors = defineErrors({
  case_closes_itself: [409, 'This case closes automatically when its remittance is resolved. Resolve the remittance.'],
  case_closed: [409, 'This case is already closed.'],
});
