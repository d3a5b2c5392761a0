/** Webhook endpoints that an account registers. */
import type Stripe from 'stripe';
import { newId } from '../state/identifiers.js';
import type { EndpointRow } from '../state/types.js';
import { ok, seconds, type Handler } from '../wire/call.js';
import { invalidRequest } from '../wire/errors.js';
import { metadataFrom } from '../wire/metadata.js';
import type { Parameters } from '../wire/parameters.js';
import { LIST_PARAMETERS, listReply } from './lists.js';
import { pathRow } from './rows.js';

const EVENT_NAME = /^(\*|[a-z0-9_]+(\.[a-z0-9_]+)+)$/;

function urlFrom(params: Parameters): string {
  const url = params.required('url');
  if (/^https?:\/\//.test(url) && URL.canParse(url)) return url;
  throw invalidRequest('Invalid URL: an explicit scheme such as https must be provided.', {
    code: 'url_invalid',
    param: 'url',
  });
}

function enabledEventsFrom(params: Parameters): string[] {
  const events = params.strings('enabled_events');
  const unknown = events.find((event) => !EVENT_NAME.test(event));
  if (unknown !== undefined) throw invalidRequest(`Invalid enabled_events: ${unknown}`, { param: 'enabled_events' });
  if (events.length > 0) return events;
  throw invalidRequest('Missing required param: enabled_events.', {
    code: 'parameter_missing',
    param: 'enabled_events',
  });
}

/** Returns a new endpoint row. The secret is shown only once, when the endpoint is created. */
export function newEndpoint(
  fields: Pick<Stripe.WebhookEndpoint, 'url' | 'enabled_events' | 'created' | 'livemode'> &
    Partial<Stripe.WebhookEndpoint>,
  account: string,
  secret = newId('whsec', 32),
): EndpointRow {
  const value: Stripe.WebhookEndpoint = {
    id: newId('we'),
    object: 'webhook_endpoint',
    api_version: null,
    application: null,
    description: null,
    metadata: {},
    status: 'enabled',
    ...fields,
  };
  return { account, secret, value };
}

/** POST /v1/webhook_endpoints */
export const createEndpoint: Handler = (call) => {
  call.params.only(['api_version', 'connect', 'description', 'enabled_events', 'expand', 'metadata', 'url']);
  const fields = {
    url: urlFrom(call.params),
    enabled_events: enabledEventsFrom(call.params),
    created: seconds(call),
    livemode: call.livemode,
    api_version: call.params.string('api_version') ?? null,
    description: call.params.string('description') ?? null,
    metadata: metadataFrom(call.params),
  };
  const row = newEndpoint(fields, call.account);
  call.store.put('webhook_endpoint', row.value.id, row);
  return ok({ ...row.value, secret: row.secret });
};

/** POST /v1/webhook_endpoints/:id */
export const updateEndpoint: Handler = (call) => {
  call.params.only(['description', 'disabled', 'enabled_events', 'expand', 'metadata', 'url']);
  const row = pathRow(call, 'webhook_endpoint');
  const disabled = call.params.boolean('disabled');
  const value: Stripe.WebhookEndpoint = {
    ...row.value,
    ...(call.params.has('url') && { url: urlFrom(call.params) }),
    ...(call.params.has('enabled_events') && { enabled_events: enabledEventsFrom(call.params) }),
    ...(disabled !== undefined && { status: disabled ? 'disabled' : 'enabled' }),
    metadata: metadataFrom(call.params, row.value.metadata),
  };
  call.store.put('webhook_endpoint', value.id, { ...row, value });
  return ok(value);
};

/** GET /v1/webhook_endpoints/:id */
export const retrieveEndpoint: Handler = (call) => ok(pathRow(call, 'webhook_endpoint').value);

/** DELETE /v1/webhook_endpoints/:id */
export const deleteEndpoint: Handler = (call) => {
  const { value } = pathRow(call, 'webhook_endpoint');
  call.store.delete('webhook_endpoint', value.id);
  return ok({ id: value.id, object: 'webhook_endpoint', deleted: true });
};

/** GET /v1/webhook_endpoints */
export const listEndpoints: Handler = (call) => {
  call.params.only(LIST_PARAMETERS);
  return listReply(call, '/v1/webhook_endpoints', call.store.all('webhook_endpoint'));
};
