/** Lists payment intents (immediately consistent) and searches them (with a lag). */
import { ok, type Handler } from '../wire/call.js';
import { invalidRequest } from '../wire/errors.js';
import { createdFilter, LIST_PARAMETERS, limitOf, listReply } from './lists.js';
import { idOf } from './rows.js';
import { compileQuery } from './search.js';

/** GET /v1/payment_intents */
export const listIntents: Handler = (call) => {
  call.params.only([...LIST_PARAMETERS, 'created', 'customer', 'customer_account']);
  const created = createdFilter(call);
  const customer = call.params.string('customer');
  return listReply(call, '/v1/payment_intents', call.store.all('payment_intent'), (intent) => {
    return created(intent) && (customer === undefined || idOf(intent.customer) === customer);
  });
};

/** GET /v1/payment_intents/search */
export const searchIntents: Handler = (call) => {
  call.params.only(['query', 'limit', 'page', 'expand']);
  const matches = compileQuery(call.params.required('query'));
  const page = call.params.string('page') ?? '0';
  if (!/^\d{1,9}$/.test(page)) throw invalidRequest('Invalid page token.', { param: 'page' });
  const start = Number(page);
  const end = start + limitOf(call);
  const matching = call.search.visible(call.account).filter(matches);
  const more = end < matching.length;
  return ok({
    object: 'search_result',
    data: matching.slice(start, end),
    has_more: more,
    next_page: more ? String(end) : null,
    url: '/v1/payment_intents/search',
  });
};
