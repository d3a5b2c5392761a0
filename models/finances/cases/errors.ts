import { defineErrors } from '../../errors.js';

/** Refusals of decisions on money cases. */
export const caseErrors = defineErrors({
  case_closed: [409, 'This case is closed already.'],
});
