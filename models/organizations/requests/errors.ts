import { translateConstraints } from '../../database/constraints.js';
import { defineErrors } from '../../errors.js';

/** Refusals about what people ask others to decide. */
export const requestErrors = defineErrors({
  own_request: [403, 'Somebody else decides what you have asked for.'],
  request_closed: [409, 'This request was decided or withdrawn.'],
  request_open: [409, 'This is asked for already, and waits for a decision.'],
});

translateConstraints({ request_closed: () => requestErrors.request_closed() });
