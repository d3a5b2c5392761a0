/** The control port: faults, the ledger, deliveries and recent requests. */
import { z } from 'zod';
import { parseFault } from '../faults/definitions.js';
import type { Faults } from '../faults/faults.js';
import { newEndpoint } from '../resources/webhookEndpoints.js';
import { putKey, readKey } from '../state/keys.js';
import { type Context, type Emitted, seconds } from '../wire/call.js';
import { ApiError } from '../wire/errors.js';
import { jsonAnswer, type Answer, type Exchange } from '../../kit/exchange.js';
import type { RequestLog } from '../wire/requestLog.js';
import type { Deliverer } from '../webhooks/deliverer.js';
import { dispute, DisputeOrder } from './disputes.js';
import { changeKeptCard, KeptCardOrder } from './keptCards.js';
import { concludeRefund } from './concludeRefund.js';
import { PayoutOrder, payOut } from './payouts.js';
import { ledgerAnswer } from './ledger.js';

export interface ControlParts {
  context: Context;
  faults: Faults;
  deliverer: Deliverer;
  requests: RequestLog;
  dispatch: (emitted: Emitted[]) => void;
  reset: () => void;
}

const subject = z
  .union([z.string().min(1), z.number()])
  .transform(String)
  .optional();

const EndpointOrder = z.strictObject({
  account_key: z.string().min(1).optional(),
  url: z.url({ protocol: /^https?$/ }),
  secret: z.string().min(1),
  enabled_events: z.array(z.string().min(1)).min(1).default(['*']),
});
const KeyOrder = z.strictObject({
  key: z.string().min(1),
  /** The secret key of another account. From now on, `key` gives access to that account instead of its own. */
  same_account_as: z.string().min(1).optional(),
  revoked: z.boolean().optional(),
  reads_account: z.boolean().optional(),
});
const RefundOrder = z.strictObject({ refund: z.string().min(1), status: z.enum(['succeeded', 'failed']) });
const ReleaseOrder = z.strictObject({ remittance_id: subject, donation_id: subject, pledge_id: subject });
const RedeliveryOrder = z.strictObject({
  event: z.string().min(1).optional(),
  type: z.string().min(1).optional(),
  remittance_id: subject,
  donation_id: subject,
  pledge_id: subject,
});

class BadOrder extends Error {}

function checked<T>(schema: z.ZodType<T>, input: unknown): T {
  const parsed = schema.safeParse(input);
  if (!parsed.success) throw new BadOrder(z.prettifyError(parsed.error));
  return parsed.data;
}

async function bodyOf(exchange: Exchange): Promise<unknown> {
  const text = await exchange.text();
  if (text.trim() === '') return {};
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw new BadOrder('the body is not JSON');
  }
}

type Action = (exchange: Exchange, id: string) => Answer | Promise<Answer>;

export class Control {
  private readonly actions: Record<string, Action>;

  constructor(private readonly parts: ControlParts) {
    const { context, faults, requests } = parts;
    this.actions = {
      'GET /health': () => jsonAnswer(200, { ok: true }),
      'GET /faults': () => jsonAnswer(200, { faults: faults.list(), waiting: faults.waitingCount }),
      'POST /faults': async (exchange) => this.addFault(await bodyOf(exchange)),
      'DELETE /faults': () => {
        faults.clear();
        return jsonAnswer(200, { faults: [] });
      },
      'POST /release': async (exchange) => {
        const order = checked(ReleaseOrder, await bodyOf(exchange));
        return jsonAnswer(200, { released: faults.release(order) });
      },
      'POST /reset': () => {
        parts.reset();
        return jsonAnswer(200, { reset: true });
      },
      'GET /ledger': (exchange) => ledgerAnswer(context.store.all('ledger'), exchange.url.searchParams),
      'GET /deliveries': (exchange) => this.deliveries(exchange.url.searchParams),
      'POST /events/redeliver': async (exchange) => {
        const order = checked(RedeliveryOrder, await bodyOf(exchange));
        const events = parts.deliverer.redeliver(order);
        return jsonAnswer(200, { redelivered: events.length, events });
      },
      'POST /refunds': async (exchange) => this.concludeRefund(await bodyOf(exchange)),
      'POST /disputes': async (exchange) => {
        const order = checked(DisputeOrder, await bodyOf(exchange));
        return this.refusedAsBad(() => dispute(this.parts, order));
      },
      'POST /kept-cards': async (exchange) => {
        const order = checked(KeptCardOrder, await bodyOf(exchange));
        return this.refusedAsBad(() => changeKeptCard(this.parts, order));
      },
      'POST /payouts': async (exchange) => {
        const order = checked(PayoutOrder, await bodyOf(exchange));
        return this.refusedAsBad(() => payOut(this.parts, order));
      },
      'POST /keys': async (exchange) => this.changeKey(await bodyOf(exchange)),
      'GET /requests': () => jsonAnswer(200, requests.list()),
      'GET /webhook-endpoints': () =>
        jsonAnswer(
          200,
          context.store.all('webhook_endpoint').map((row) => row.value),
        ),
      'POST /webhook-endpoints': async (exchange) => this.addEndpoint(await bodyOf(exchange)),
      'DELETE /webhook-endpoints/:id': (_, id) => {
        context.store.transaction(() => context.store.delete('webhook_endpoint', id));
        return jsonAnswer(200, { id, deleted: true });
      },
    };
  }

  /** Serves one request on the control port. */
  async serve(exchange: Exchange): Promise<Answer> {
    const match = /^(\/webhook-endpoints)\/([^/]+)$/.exec(exchange.url.pathname);
    const path = match ? `${match[1]}/:id` : exchange.url.pathname;
    const action = this.actions[`${exchange.method} ${path}`];
    if (!action) {
      const known = Object.keys(this.actions).join('; ');
      return jsonAnswer(404, { error: `unknown: ${exchange.method} ${path}; known: ${known}` });
    }
    try {
      return await action(exchange, match?.[2] ?? '');
    } catch (error) {
      if (error instanceof BadOrder) return jsonAnswer(400, { error: error.message });
      throw error;
    }
  }

  private addFault(input: unknown): Answer {
    const parsed = parseFault(input);
    if ('problem' in parsed) throw new BadOrder(parsed.problem);
    return jsonAnswer(201, this.parts.faults.add(parsed.order));
  }

  private deliveries(query: URLSearchParams): Answer {
    const { context, deliverer } = this.parts;
    const chosen = context.store.all('delivery').filter((delivery) => {
      return (['event', 'type', 'remittance_id', 'donation_id', 'status'] as const).every(
        (name) => !query.has(name) || delivery[name] === query.get(name),
      );
    });
    return jsonAnswer(
      200,
      chosen.map((delivery) => ({ ...delivery, url: deliverer.endpoint(delivery.endpoint)?.url ?? null })),
    );
  }

  private changeKey(input: unknown): Answer {
    const { store } = this.parts.context;
    const { key, same_account_as: other, revoked, reads_account } = checked(KeyOrder, input);
    const change = {
      ...(other !== undefined && { opens: readKey(store, other).opens }),
      ...(revoked !== undefined && { revoked }),
      ...(reads_account !== undefined && { reads_account }),
    };
    return jsonAnswer(
      200,
      store.transaction(() => putKey(store, key, change)),
    );
  }

  private async concludeRefund(input: unknown): Promise<Answer> {
    const { refund, status } = checked(RefundOrder, input);
    return this.refusedAsBad(() => concludeRefund(this.parts, refund, status));
  }

  private async refusedAsBad(action: () => Promise<object>): Promise<Answer> {
    try {
      return jsonAnswer(200, await action());
    } catch (error) {
      throw error instanceof ApiError ? new BadOrder(error.message) : error;
    }
  }

  private addEndpoint(input: unknown): Answer {
    const { context } = this.parts;
    const order = checked(EndpointOrder, input);
    const account = order.account_key === undefined ? '*' : readKey(context.store, order.account_key).opens;
    const fields = {
      url: order.url,
      enabled_events: order.enabled_events,
      created: seconds(context),
      livemode: order.account_key?.startsWith('sk_live_') ?? false,
    };
    const row = newEndpoint(fields, account, order.secret);
    context.store.transaction(() => context.store.put('webhook_endpoint', row.value.id, row));
    return jsonAnswer(201, row.value);
  }
}
