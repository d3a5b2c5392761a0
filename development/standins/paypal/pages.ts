/** The page on which a payer approves an order. No money moves there; the platform captures afterwards. */
import type { Answer, Exchange } from '../kit/exchange.js';
import { escapeHtml, page as wholePage, redirect } from '../kit/html.js';
import { type PaypalEvent, VAULT_TOKENS } from './money.js';
import type { PaypalPresenter } from './shown.js';
import type { Order, State } from './state.js';

export class ApprovalPage {
  constructor(
    private readonly state: State,
    private readonly shown: PaypalPresenter,
    private readonly tell: (told: PaypalEvent) => void,
  ) {}

  async serve(exchange: Exchange): Promise<Answer> {
    const order = this.state.kept.order[exchange.url.searchParams.get('token') ?? ''];
    if (!order || order.status === 'PAYER_ACTION_REQUIRED') return page(404, 'There is no such order.');
    if (exchange.method !== 'POST') return form(order);
    const source = new URLSearchParams(await exchange.text()).get('source') ?? '';
    if (!VAULT_TOKENS.includes(source)) return page(400, 'Choose what to pay with.');
    if (order.status === 'CREATED') {
      Object.assign(order, { status: 'APPROVED', source });
      this.tell({ account: order.account, type: 'CHECKOUT.ORDER.APPROVED', resource: this.shown.order(order) });
      this.state.save();
    }
    return redirect(order.return_url ?? '/');
  }
}

const page = (status: number, text: string): Answer => wholePage('PayPal', `<p>${escapeHtml(text)}</p>`, status);

const form = ({ unit }: Order): Answer => {
  const sources = VAULT_TOKENS.map((one) => `<option>${escapeHtml(one)}</option>`).join('');
  const price = `Pay $${escapeHtml(unit.amount.value)}`;
  return wholePage(
    'PayPal',
    `<form method="post"><select name="source">${sources}</select><button>${price}</button></form>`,
  );
};
