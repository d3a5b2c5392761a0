/** Serves the API: authentication, routing, idempotency, faults, execution, answer. */
import type { Faults, Target } from '../faults/faults.js';
import { throughFaults, type Performed } from '../faults/guard.js';
import { targetOf } from '../faults/target.js';
import { API_VERSION } from '../resources/emit.js';
import { expanded } from '../resources/expand.js';
import { newId } from '../state/identifiers.js';
import { authenticateKey } from './authenticate.js';
import type { Call, Context, Emitted } from './call.js';
import { ApiError, invalidRequest, notPermitted } from './errors.js';
import { BodyTooLarge, jsonAnswer, type Answer, type Exchange } from '../../kit/exchange.js';
import { parseForm, type FormMap } from './form.js';
import { fingerprintOf, NO_KEY, type Idempotency, type Slot } from './idempotency.js';
import { Parameters } from './parameters.js';
import type { RequestEntry, RequestLog } from './requestLog.js';
import { matchRoute, type Route } from './routes.js';

export interface ApiParts {
  context: Context;
  faults: Faults;
  idempotency: Idempotency;
  requests: RequestLog;
  dispatch: (emitted: Emitted[]) => void;
  log: (line: string) => void;
}

const SERVER_ERROR = { error: { type: 'api_error', message: 'An unknown error occurred.' } } as const;

export class Api {
  constructor(private readonly parts: ApiParts) {}

  /** Serves one request under /v1. */
  async serve(exchange: Exchange): Promise<void> {
    const entry = this.logRequest(exchange);
    const answer = await this.answer(exchange, entry).catch((error: unknown) => this.refusal(error));
    entry.fault = exchange.fault;
    if (answer === null) {
      this.parts.log(`${entry.method} ${entry.path} dropped (${entry.fault})`);
      exchange.drop();
      return;
    }
    entry.status = answer.status;
    entry.replayed = answer.headers['Idempotent-Replayed'] === 'true';
    this.parts.log(`${entry.method} ${entry.path} ${answer.status}`);
    const key = entry.idempotency_key;
    exchange.send({
      ...answer,
      headers: {
        ...answer.headers,
        'Request-Id': entry.id,
        'Stripe-Version': exchange.header('stripe-version') ?? API_VERSION,
        ...(key !== null && { 'Idempotency-Key': key }),
        ...(answer.status >= 500 && { 'Stripe-Should-Retry': 'false' }),
        ...(answer.status === 409 && { 'Stripe-Should-Retry': 'true' }),
      },
    });
  }

  private logRequest(exchange: Exchange): RequestEntry {
    const entry: RequestEntry = {
      at: new Date(this.parts.context.now()).toISOString(),
      id: newId('req', 14),
      account: null,
      method: exchange.method,
      path: exchange.url.pathname,
      operation: null,
      idempotency_key: exchange.method === 'POST' ? exchange.header('idempotency-key') : null,
      remittance_id: null,
      donation_id: null,
      status: null,
      replayed: false,
      fault: null,
    };
    this.parts.requests.add(entry);
    return entry;
  }

  private async answer(exchange: Exchange, entry: RequestEntry): Promise<Answer | null> {
    const { account, livemode, readsAccount } = authenticateKey(exchange, this.parts.context.store);
    entry.account = account;
    const match = matchRoute(entry.method, entry.path);
    if (!match) {
      const message = `Unrecognized request URL (${entry.method}: ${entry.path}).`;
      throw new ApiError(404, { type: 'invalid_request_error', message });
    }
    if (match.route.operation === 'account' && !readsAccount) throw notPermitted();
    const params = await this.parameters(exchange);
    const call: Call = {
      ...this.parts.context,
      account,
      livemode,
      requestId: entry.id,
      idempotencyKey: entry.idempotency_key,
      ids: match.ids,
      params: new Parameters(params),
      captured: false,
      emitted: [],
    };
    const target = targetOf(call, match.route.operation);
    entry.operation = target.operation;
    entry.remittance_id = target.remittanceId;
    entry.donation_id = target.donationId;
    const slot = this.slot(call, entry, params);
    try {
      return await throughFaults(this.parts.faults, target, exchange, () =>
        this.perform(call, match.route, target, slot),
      );
    } finally {
      slot.release();
    }
  }

  private async parameters(exchange: Exchange): Promise<FormMap> {
    if (exchange.method !== 'POST') return parseForm(exchange.url.search);
    const type = exchange.header('content-type') ?? '';
    const body = await exchange.text();
    if (body === '' || type.startsWith('application/x-www-form-urlencoded')) return parseForm(body);
    throw invalidRequest(`Invalid request content type: ${type}. Send application/x-www-form-urlencoded.`);
  }

  private slot(call: Call, entry: RequestEntry, params: FormMap): Slot {
    if (call.idempotencyKey === null) return NO_KEY;
    const fingerprint = fingerprintOf(entry.method, entry.path, params);
    return this.parts.idempotency.begin(call.account, call.idempotencyKey, fingerprint);
  }

  private async perform(call: Call, route: Route, target: Target, slot: Slot): Promise<Performed> {
    if (slot.replay) return { answer: replayedAnswer(slot.replay), executed: true };
    const performed = this.execute(call, route, target, slot);
    await call.store.flush();
    // The response is stored now, so release the key. A repeated request then gets the stored response, even while a
    // fault still delays the response to this request.
    slot.release();
    this.parts.dispatch(call.emitted);
    return performed;
  }

  /**
   * Executes the request in one transaction: the objects, their events, the ledger and the stored answer are all
   * written, or none.
   */
  private execute(call: Call, route: Route, target: Target, slot: Slot): Performed {
    const { faults } = this.parts;
    const amount = faults.forRequest(['capture_amount'], target);
    const failing = faults.forRequest(['error_after_capture'], target);
    const refusing = faults.forRequest(['error_before_capture'], target);
    if (amount) call.captureAmount = amount.amount_cents;
    try {
      if (refusing) {
        faults.use(refusing);
        // Simulates a gateway that fails before it executes the request. Nothing is changed, but the failure is stored
        // under the idempotency key.
        throw new ApiError(500, SERVER_ERROR.error, true);
      }
      const answer = call.store.transaction(() => {
        const reply = route.handler(call);
        const body = reply.status === 200 ? expanded(call, reply.body) : reply.body;
        const result = failing ? jsonAnswer(500, SERVER_ERROR) : jsonAnswer(reply.status, body);
        slot.save(result.status, result.body, call.requestId);
        return result;
      });
      if (failing) faults.use(failing);
      if (amount && call.captured) faults.use(amount);
      return { answer, executed: true };
    } catch (error) {
      call.emitted = [];
      const answer = this.refusal(error);
      const stored = error instanceof ApiError && error.stored;
      if (stored) call.store.transaction(() => slot.save(answer.status, answer.body, call.requestId));
      return { answer, executed: stored };
    }
  }

  private refusal(error: unknown): Answer {
    if (error instanceof ApiError) return jsonAnswer(error.status, { error: error.body });
    if (error instanceof BodyTooLarge) return jsonAnswer(413, SERVER_ERROR, { Connection: 'close' });
    this.parts.log(`internal error: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
    return jsonAnswer(500, SERVER_ERROR);
  }
}

function replayedAnswer(stored: NonNullable<Slot['replay']>): Answer {
  const headers = {
    'Content-Type': 'application/json',
    'Idempotent-Replayed': 'true',
    'Original-Request': stored.requestId,
  };
  return { status: stored.status, body: stored.body, headers };
}
