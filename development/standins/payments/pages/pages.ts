/** The pages for people: recent payments, the hosted checkout, and the bank's authentication. */
import type { Faults } from '../faults/faults.js';
import { throughFaults } from '../faults/guard.js';
import { authenticate, paySession, successUrl } from '../resources/checkoutPay.js';
import { subjectOf, type Intent } from '../resources/intentRow.js';
import { sessionSubject } from '../resources/checkoutSessions.js';
import { newId } from '../state/identifiers.js';
import type { SessionRow, Subject } from '../state/types.js';
import type { Call, Context, Emitted, Reply } from '../wire/call.js';
import { ApiError } from '../wire/errors.js';
import type { Answer, Exchange } from '../../kit/exchange.js';
import { parseForm } from '../wire/form.js';
import { formatMoney } from '../wire/money.js';
import { Parameters } from '../wire/parameters.js';
import { checkoutPage } from './checkoutPage.js';
import { escapeHtml, page, redirect } from '../../kit/html.js';

const MAX_SHOWN = 50;

export interface PagesParts {
  context: Context;
  faults: Faults;
  dispatch: (emitted: Emitted[]) => void;
}

export class Pages {
  constructor(private readonly parts: PagesParts) {}

  /** Returns a page, or null when the connection must be dropped. */
  async serve(exchange: Exchange): Promise<Answer | null> {
    const [, first, second, third] = exchange.url.pathname.split('/');
    const { store } = this.parts.context;
    if (first === '' && exchange.method === 'GET') return this.recent();
    if (first === 'c' && second === 'pay') {
      const row = store.get('session', third ?? '');
      if (row) return exchange.method === 'POST' ? this.pay(exchange, row) : checkoutPage(row);
    }
    if (first === 'authenticate') {
      const row = store.get('payment_intent', second ?? '');
      if (row) return exchange.method === 'POST' ? this.decide(exchange, row) : question(row.value);
    }
    return page('There is no such page', '', 404);
  }

  private recent(): Answer {
    const rows = this.parts.context.store.all('payment_intent').slice(-MAX_SHOWN).reverse();
    const lines = rows.map(({ account, value }) => {
      const cells = [
        new Date(value.created * 1000).toISOString(),
        value.id,
        formatMoney(value.amount, value.currency),
        formatMoney(value.amount_received, value.currency),
        value.status,
        subjectOf(value).remittanceId ?? subjectOf(value).donationId ?? '',
        account,
      ];
      return `<tr>${cells.map((cell) => `<td>${escapeHtml(cell)}</td>`).join('')}</tr>`;
    });
    const heads = ['Created', 'Payment intent', 'Amount', 'Received', 'Status', 'Remittance or gift', 'Account'];
    const head = heads.map((name) => `<th>${name}</th>`).join('');
    return page('Payments', `<table><thead><tr>${head}</tr></thead><tbody>${lines.join('')}</tbody></table>`);
  }

  private async pay(exchange: Exchange, row: SessionRow): Promise<Answer | null> {
    const token = (await form(exchange)).string('payment_method') ?? 'pm_card_visa';
    const subject = sessionSubject(row);
    const again = (problem: string | null): Answer => {
      return checkoutPage(this.parts.context.store.get('session', row.value.id) ?? row, problem);
    };
    return this.perform(exchange, 'checkout_pay', row, subject, (call) => paySession(call, row.value.id, token), {
      succeeded: (intent) => {
        const page = intent.next_action?.redirect_to_url?.url;
        return redirect(typeof page === 'string' ? page : successUrl(row));
      },
      refused: again,
    });
  }

  private async decide(exchange: Exchange, row: { account: string; value: Intent }): Promise<Answer | null> {
    const approved = (await form(exchange)).string('decision') !== 'fail';
    const { store } = this.parts.context;
    const session = store.all('session').find((candidate) => candidate.value.payment_intent === row.value.id);
    const back = row.value.next_action?.redirect_to_url?.return_url ?? '/';
    const act = (call: Call): Reply => authenticate(call, row.value.id, approved);
    return this.perform(exchange, 'authenticate', row, subjectOf(row.value), act, {
      succeeded: () => redirect(back),
      refused: () => redirect(session ? `/c/pay/${session.value.id}` : back),
    });
  }

  /** Performs the payer's action in a transaction, with faults, and shows the outcome. */
  private perform(
    exchange: Exchange,
    operation: string,
    row: { account: string; value: { livemode: boolean } },
    subject: Subject,
    act: (call: Call) => Reply,
    show: { succeeded: (intent: Intent) => Answer; refused: (problem: string | null) => Answer },
  ): Promise<Answer | null> {
    const { context, faults, dispatch } = this.parts;
    const target = { operation, captures: false, ...subject };
    return throughFaults(faults, target, exchange, async () => {
      const amount = faults.forRequest(['capture_amount'], target);
      const failing = faults.forRequest(['error_after_capture'], target);
      const call: Call = {
        ...context,
        account: row.account,
        livemode: row.value.livemode,
        requestId: newId('req', 14),
        idempotencyKey: null,
        ids: [],
        params: new Parameters({}),
        ...(amount && { captureAmount: amount.amount_cents }),
        captured: false,
        emitted: [],
      };
      try {
        const reply = context.store.transaction(() => act(call));
        if (amount && call.captured) faults.use(amount);
        if (failing) faults.use(failing);
        await context.store.flush();
        dispatch(call.emitted);
        if (failing) return { answer: page('Something went wrong', '', 500), executed: true };
        const answer = reply.status === 200 ? show.succeeded(reply.body as Intent) : show.refused(problemOf(reply));
        return { answer, executed: true };
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        return { answer: show.refused(error.message), executed: false };
      }
    });
  }
}

function problemOf(reply: Reply): string {
  return (reply.body as { error: { message: string } }).error.message;
}

async function form(exchange: Exchange): Promise<Parameters> {
  return new Parameters(parseForm(await exchange.text()));
}

/** The page on which the bank authenticates the cardholder. */
function question(intent: Intent): Answer {
  if (intent.status !== 'requires_action') return page('There is nothing to authenticate', '', 410);
  const amount = formatMoney(intent.amount, intent.currency);
  return page(
    `Your bank asks: pay ${amount}?`,
    `<form method="post">
<button id="complete" name="decision" value="complete">Complete authentication</button>
<button id="fail" name="decision" value="fail">Fail authentication</button>
</form>`,
  );
}
