/** Events, read only. */
import { ok, type Handler } from '../wire/call.js';
import { createdFilter, LIST_PARAMETERS, listReply } from './lists.js';
import { pathRow } from './rows.js';

/** GET /v1/events/:id */
export const retrieveEvent: Handler = (call) => ok(pathRow(call, 'event').value);

/** Reports whether an event type matches an exact name or a family such as `charge.*`. */
function typeMatches(wanted: string, type: string): boolean {
  return wanted.endsWith('*') ? type.startsWith(wanted.slice(0, -1)) : type === wanted;
}

/** GET /v1/events */
export const listEvents: Handler = (call) => {
  call.params.only([...LIST_PARAMETERS, 'created', 'delivery_success', 'type', 'types']);
  const created = createdFilter(call);
  const type = call.params.string('type');
  const types = call.params.strings('types');
  const wanted = type === undefined ? types : [type];
  const delivered = call.params.boolean('delivery_success');
  const outstanding = new Set(
    delivered === undefined
      ? []
      : call.store.all('delivery').flatMap((delivery) => (delivery.status === 'delivered' ? [] : [delivery.event])),
  );
  return listReply(call, '/v1/events', call.store.all('event'), (event) => {
    const ofType = wanted.length === 0 || wanted.some((name) => typeMatches(name, event.type));
    return created(event) && ofType && (delivered === undefined || outstanding.has(event.id) !== delivered);
  });
};
