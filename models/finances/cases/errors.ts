import { defineErrors } from '../../errors.js';

/** Refusals of decisions on money cases. */
export const caseErrors = defineErrors({
  case_closes_itself: [409, 'This case closes itself as soon as its remittance is resolved.'],
  case_closed: [409, 'This case is closed already.'],
});
