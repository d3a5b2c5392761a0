/** The control port: faults, revoked tokens, refunds' ends, who hears events, and the ledger. */
import { z } from 'zod';
import { type Answer, type Exchange, jsonAnswer } from '../kit/exchange.js';
import { Fault, type Faults } from './faults.js';
import type { MoneyDesk } from './money.js';
import { accountOf, type State } from './state.js';

interface Parts {
  state: State;
  faults: Faults;
  desk: MoneyDesk;
}

const Token = z.strictObject({ key: z.string().min(1), revoked: z.boolean() });
const Conclusion = z.strictObject({ refund: z.string(), status: z.enum(['succeeded', 'failed']) });
const Hearer = z.strictObject({ account_key: z.string().optional(), url: z.url(), secret: z.string().min(1) });

export async function control(exchange: Exchange, { state, faults, desk }: Parts): Promise<Answer> {
  const text = await exchange.text();
  try {
    const order: unknown = text ? JSON.parse(text) : {};
    switch (`${exchange.method} ${exchange.url.pathname}`) {
      case 'GET /health':
        return jsonAnswer(200, { ok: true });
      case 'GET /ledger':
        return jsonAnswer(200, state.kept.ledger);
      case 'GET /payments':
        return jsonAnswer(200, Object.values(state.kept.payment));
      case 'GET /faults':
        return jsonAnswer(200, { faults: faults.list() });
      case 'POST /faults':
        faults.add(Fault.parse(order));
        return jsonAnswer(201, { faults: faults.list() });
      case 'DELETE /faults':
        faults.clear();
        return jsonAnswer(200, { faults: [] });
      case 'POST /keys': {
        const { key, revoked } = Token.parse(order);
        const others = state.kept.revoked.filter((one) => one !== accountOf(key));
        state.kept.revoked = revoked ? [...others, accountOf(key)] : others;
        return saved(state, { revoked });
      }
      case 'POST /refunds': {
        const { refund, status } = Conclusion.parse(order);
        return jsonAnswer(200, { status: desk.conclude(refund, status === 'failed' ? 'FAILED' : 'COMPLETED').status });
      }
      case 'POST /webhook-endpoints': {
        const { account_key, url, secret } = Hearer.parse(order);
        state.kept.endpoints.push({ account: account_key === undefined ? null : accountOf(account_key), url, secret });
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

function saved(state: State, answer: unknown): Answer {
  state.save();
  return jsonAnswer(201, answer);
}
