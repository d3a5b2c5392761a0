/** The control port: faults, revoked clients, refunds' ends, who hears events, and the ledger. */
import { z } from 'zod';
import { type Answer, type Exchange, jsonAnswer } from '../kit/exchange.js';
import { Fault, type Faults } from './faults.js';
import type { Hooks } from './hooks.js';
import type { MoneyDesk } from './money.js';
import type { Shown } from './shown.js';
import { accountOf, type State } from './state.js';

interface Parts {
  state: State;
  faults: Faults;
  desk: MoneyDesk;
  hooks: Hooks;
  shown: Shown;
}

const Client = z.strictObject({ client_id: z.string().min(1), secret: z.string().min(1), revoked: z.boolean() });
const Conclusion = z.strictObject({ refund: z.string(), status: z.enum(['succeeded', 'failed']) });
const Hearer = z.strictObject({
  client_id: z.string().optional(),
  secret: z.string().optional(),
  url: z.url(),
  webhook_id: z.string().min(1),
});
const Signed = z.strictObject({ order: z.string(), webhook_id: z.string(), at: z.iso.datetime() });

export async function control(exchange: Exchange, parts: Parts): Promise<Answer> {
  const { state, faults, desk } = parts;
  const text = await exchange.text();
  try {
    const order: unknown = text ? JSON.parse(text) : {};
    switch (`${exchange.method} ${exchange.url.pathname}`) {
      case 'GET /health':
        return jsonAnswer(200, { ok: true });
      case 'GET /ledger':
        return jsonAnswer(200, state.kept.ledger);
      case 'GET /authorizations':
        return jsonAnswer(200, Object.values(state.kept.authorization));
      case 'GET /faults':
        return jsonAnswer(200, { faults: faults.list() });
      case 'POST /faults':
        faults.add(Fault.parse(order));
        return jsonAnswer(201, { faults: faults.list() });
      case 'DELETE /faults':
        faults.clear();
        return jsonAnswer(200, { faults: [] });
      case 'POST /clients':
        return saved(state, revoke(state, Client.parse(order)));
      case 'POST /refunds': {
        const { refund, status } = Conclusion.parse(order);
        return jsonAnswer(200, { status: desk.conclude(refund, status === 'failed' ? 'FAILED' : 'COMPLETED').status });
      }
      case 'POST /signed-events':
        return jsonAnswer(200, signed(parts, Signed.parse(order)));
      case 'POST /webhook-endpoints': {
        const { client_id, secret, url, webhook_id } = Hearer.parse(order);
        const account = client_id && secret ? accountOf(client_id, secret) : null;
        state.kept.endpoints.push({ account, url, webhook_id });
        return saved(state, { url });
      }
      case 'POST /reset':
        faults.clear();
        state.reset();
        return jsonAnswer(200, { reset: true });
      default:
        return jsonAnswer(404, { error: `unknown: ${exchange.method} ${exchange.url.pathname}` });
    }
  } catch (error) {
    return jsonAnswer(400, { error: error instanceof z.ZodError ? z.prettifyError(error) : String(error) });
  }
}

function revoke(state: State, { client_id, secret, revoked }: z.infer<typeof Client>) {
  const account = accountOf(client_id, secret);
  const others = state.kept.revoked.filter((one) => one !== account);
  state.kept.revoked = revoked ? [...others, account] : others;
  return { revoked };
}

/** The event of an order's capture, as it would be sent to a webhook of that id. */
function signed({ state, hooks, shown }: Parts, { order: id, webhook_id, at }: z.infer<typeof Signed>) {
  const order = state.kept.order[id];
  const [capture] = order ? state.capturesOf(order) : [];
  if (!order || !capture) throw new Error('Nothing was captured under this order.');
  const told = { account: order.account, type: 'PAYMENT.CAPTURE.COMPLETED', resource: shown.capture(capture) };
  return hooks.sign(JSON.stringify(hooks.tell(told)), webhook_id, new Date(at));
}

function saved(state: State, answer: unknown): Answer {
  state.save();
  return jsonAnswer(201, answer);
}
