import { translateConstraints } from '../../database/constraints.js';
import { defineErrors } from '../../errors.js';

/** Error codes of requests. */
export const requestErrors = defineErrors({
  own_request: [403, 'You cannot decide your own request.'],
  request_closed: [409, 'This request was already decided or withdrawn.'],
  request_open: [
    409,
    'An earlier request for the same change still awaits a decision. Wait for the decision, or withdraw that request.',
  ],
});

translateConstraints({ request_closed: () => requestErrors.request_closed() });
