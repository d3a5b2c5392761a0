/** Payment links, their orders, and the payer's page. */
import { escapeHtml, page as wholePage, redirect } from '../kit/html.js';
import type { Answer, Exchange } from '../kit/exchange.js';
import { badRequest, notFound, SquareRefusal } from './errors.js';
import { CARD_TOKENS, type MoneyDesk, moneyIn } from './money.js';
import { type Fields, type Link, type Money, newId, type Order, type State } from './state.js';

export class PageDesk {
  constructor(
    private readonly state: State,
    private readonly desk: MoneyDesk,
    private readonly url: () => string,
  ) {}

  open(account: string, body: Fields): Link {
    const requestedOrder = (body['order'] ?? {}) as Fields;
    const [item] = (requestedOrder['line_items'] ?? []) as Fields[];
    if (!item || typeof requestedOrder['location_id'] !== 'string') throw badRequest('MISSING_REQUIRED_PARAMETER');
    const money = moneyIn(item['base_price_money']);
    const created_at = new Date().toISOString();
    const order: Order & { account: string } = {
      ...requestedOrder,
      account,
      id: newId(),
      state: 'OPEN',
      location_id: requestedOrder['location_id'],
      created_at,
      total_money: money,
      tenders: [],
    };
    const id = newId();
    const options = body['checkout_options'];
    const link = {
      account,
      id,
      version: 1,
      order_id: order.id,
      url: `${this.url()}/pay/${id}`,
      payment_note: body['payment_note'],
      checkout_options: options,
      created_at,
    };
    this.state.kept.order[order.id] = order;
    this.state.kept.link[id] = link;
    return link;
  }

  /** Deletes the link and cancels its order. */
  close(account: string, id: string): Fields {
    const link = this.state.kept.link[id];
    const order = link && this.state.kept.order[link.order_id];
    if (!order || link.account !== account) throw notFound();
    if (order.state !== 'OPEN') throw badRequest();
    order.state = 'CANCELED';
    delete this.state.kept.link[id];
    return { id, cancelled_order_id: order.id };
  }

  order(account: string, id: string): Order {
    const order = this.state.kept.order[id];
    if (order?.account !== account) throw notFound();
    return order;
  }

  async serve(exchange: Exchange): Promise<Answer> {
    const link = this.state.kept.link[exchange.url.pathname.split('/')[2] ?? ''];
    const order = link && this.state.kept.order[link.order_id];
    if (!order || order.state === 'CANCELED') return page(404, 'This page is closed.');
    if (exchange.method !== 'POST') return form(order.total_money);
    const fields = new URLSearchParams(await exchange.text());
    try {
      if (order.state === 'OPEN') this.pay(link, order, fields.get('source_id') ?? '');
    } catch (error) {
      if (error instanceof SquareRefusal) return page(402, `Refused: ${error.code}`);
      throw error;
    }
    this.state.save();
    const { redirect_url } = (link['checkout_options'] ?? {}) as { redirect_url?: string };
    return redirect(redirect_url ?? '/');
  }

  private pay(link: Link & { account: string }, order: Order, source_id: string): void {
    const { id: order_id, location_id, total_money: amount_money } = order;
    const payment = this.desk.pay(link.account, {
      source_id,
      amount_money,
      location_id,
      order_id,
      note: link['payment_note'],
    });
    order.state = 'COMPLETED';
    order.tenders.push({ id: payment.id, type: 'CARD', payment_id: payment.id, amount_money });
  }
}

const page = (status: number, text: string): Answer => wholePage('Square', `<p>${escapeHtml(text)}</p>`, status);

const form = ({ amount }: Money): Answer => {
  const cards = CARD_TOKENS.map((card) => `<option>${escapeHtml(card)}</option>`).join('');
  const price = `Pay $${(amount / 100).toFixed(2)}`;
  return wholePage(
    'Square',
    `<form method="post"><select name="source_id">${cards}</select><button>${price}</button></form>`,
  );
};
