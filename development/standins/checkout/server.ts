/** The stand-in for Checkout.com: what it would do on the wire, on this machine. */
import { type Answer, type Exchange, jsonAnswer } from '../kit/exchange.js';
import { listen } from '../kit/listen.js';
import {
  type Account,
  type Asked,
  capture,
  conclude,
  invalid,
  missing,
  refund,
  release,
  requestPayment,
} from './operations.js';
import { approved, type Ledger, shown } from './state.js';

/** A request that gets no answer: it was carried out, or never came to it. */
interface Fault {
  operation: string;
  when: 'before' | 'after';
}

/** How long what was accepted takes. */
const ASYNCHRONOUS_MS = 5;

const OPERATIONS: Readonly<Record<string, (payment: Account['payments'][number], asked: Asked) => Answer>> = {
  captures: capture,
  voids: release,
  refunds: refund,
};

export async function startCheckoutStandin({ port, controlPort }: { port: number; controlPort: number }) {
  const accounts = new Map<string, Account>();
  const revoked = new Set<string>();
  const remembered = new Map<string, Answer>();
  const running = new Set<string>();
  const timers = new Set<NodeJS.Timeout>();
  let fault: Fault | null = null;

  const later = (act: () => void): void => {
    const timer = setTimeout(() => {
      timers.delete(timer);
      act();
    }, ASYNCHRONOUS_MS);
    timers.add(timer);
  };

  /** Null: no answer at all. */
  async function serve(exchange: Exchange): Promise<Answer | null> {
    const key = /^Bearer (sk_\S+)$/.exec(exchange.header('authorization') ?? '')?.[1];
    if (!key || revoked.has(key)) return { status: 401, body: '', headers: {} };
    const account = accounts.get(key) ?? { payments: [] };
    accounts.set(key, account);
    const [, resource, id, what] = exchange.url.pathname.split('/');
    if (resource !== 'payments') return missing();
    const payment = id ? account.payments.find((one) => one.id === id) : undefined;
    if (id && !payment) return missing();
    if (exchange.method === 'GET') return read(exchange, account, payment, what);
    const text = await exchange.text();
    const body = (text ? JSON.parse(text) : {}) as Record<string, unknown>;
    const operation = payment ? (what ?? '') : 'payments';
    const act = OPERATIONS[operation];
    if (payment && !act) return missing();
    const asked = { account, body, later };
    return once(`${key} ${exchange.header('cko-idempotency-key') ?? ''}`, operation, () =>
      payment && act ? act(payment, asked) : requestPayment(asked),
    );
  }

  /** A key is remembered only once its request went well; one that comes beside it is refused. */
  async function once(key: string, operation: string, act: () => Answer): Promise<Answer | null> {
    const keyed = !key.endsWith(' ');
    const before = keyed ? remembered.get(key) : undefined;
    if (keyed && running.has(key)) return jsonAnswer(409, { error_type: 'idempotency_conflict', error_codes: [] });
    const struck = fault?.operation === operation ? fault.when : null;
    if (struck === 'before') return null;
    if (before) return struck ? null : before;
    running.add(key);
    // Long enough for another one to come beside it.
    await new Promise((resolve) => setTimeout(resolve, 1));
    const answer = act();
    running.delete(key);
    if (keyed && answer.status < 300) remembered.set(key, answer);
    return struck ? null : answer;
  }

  async function control(exchange: Exchange): Promise<Answer> {
    const body = JSON.parse((await exchange.text()) || '{}') as Record<string, string>;
    switch (`${exchange.method} ${exchange.url.pathname}`) {
      case 'POST /faults':
        fault = body as unknown as Fault;
        return jsonAnswer(200, fault);
      case 'DELETE /faults':
        fault = null;
        return jsonAnswer(200, {});
      case 'POST /keys':
        revoked.add(body['revoked'] ?? '');
        return jsonAnswer(200, {});
      case 'POST /actions': {
        const actions = [...accounts.values()].flatMap(({ payments }) => payments).flatMap((one) => one.actions);
        const action = actions.find(({ id }) => id === body['action']);
        if (!action) return missing();
        conclude(action, body['status'] === 'succeeded');
        return jsonAnswer(200, action);
      }
      case 'GET /ledger':
        return jsonAnswer(200, ledgerOf([...accounts.values()]));
      default:
        return invalid('unknown_control');
    }
  }

  const main = await listen(port, '127.0.0.1', serve, () => {});
  const side = await listen(controlPort, '127.0.0.1', control, () => {});
  return {
    url: `http://127.0.0.1:${main.port}`,
    controlUrl: `http://127.0.0.1:${side.port}`,
    async close() {
      for (const timer of timers) clearTimeout(timer);
      await Promise.all([main.close(), side.close()]);
    },
  };
}

function read(exchange: Exchange, { payments }: Account, payment?: Account['payments'][number], what?: string): Answer {
  if (payment) return jsonAnswer(200, what === 'actions' ? payment.actions.toReversed() : shown(payment));
  const reference = exchange.url.searchParams.get('reference');
  if (!reference) return invalid('reference_required');
  const found = payments.filter((one) => one.reference === reference);
  const limit = Number(exchange.url.searchParams.get('limit') ?? 10);
  return jsonAnswer(200, { limit, skip: 0, total_count: found.length, data: found.slice(0, limit).map(shown) });
}

/** Money that truly moved. */
const ledgerOf = (accounts: Account[]): Ledger[] =>
  accounts
    .flatMap(({ payments }) => payments)
    .flatMap(({ id, actions }) =>
      actions
        .filter((action) => approved(action) && (action.type === 'Capture' || action.type === 'Refund'))
        .map(({ type, amount }) => ({
          kind: type === 'Capture' ? ('capture' as const) : ('refund' as const),
          amount_cents: amount,
          payment: id,
        })),
    );
