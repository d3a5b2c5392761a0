/** Charges, read only. */
import { ok, type Handler } from '../wire/call.js';
import { createdFilter, LIST_PARAMETERS, listReply } from './lists.js';
import { idOf, pathRow } from './rows.js';

/** GET /v1/charges/:id */
export const retrieveCharge: Handler = (call) => ok(pathRow(call, 'charge').value);

/** GET /v1/charges */
export const listCharges: Handler = (call) => {
  call.params.only([...LIST_PARAMETERS, 'created', 'customer', 'payment_intent', 'transfer_group']);
  const created = createdFilter(call);
  const intent = call.params.string('payment_intent');
  const customer = call.params.string('customer');
  return listReply(call, '/v1/charges', call.store.all('charge'), (charge) => {
    const ofIntent = intent === undefined || charge.payment_intent === intent;
    return created(charge) && ofIntent && (customer === undefined || idOf(charge.customer) === customer);
  });
};
