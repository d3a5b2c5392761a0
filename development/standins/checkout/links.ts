/** Payment links and the page of the payer. A link cannot be closed; it expires. */
import { type Answer, type Exchange, jsonAnswer } from '../kit/exchange.js';
import { escapeHtml, page as wholePage, redirect } from '../kit/html.js';
import { invalid, isPaymentType, missing, type MoneyDesk } from './operations.js';
import { CARDS, type Fields, idOf, type Link, type State, statusOf } from './state.js';

const MAX_EXPIRY_SECONDS = 5_184_000;

export class LinkDesk {
  constructor(
    private readonly state: State,
    private readonly desk: MoneyDesk,
    private readonly url: () => string,
  ) {}

  /** POST /payment-links, which accepts no idempotency key: a repeated request creates a second link. */
  open(account: string, body: Fields): Answer {
    const { amount, currency, reference, metadata, billing, expires_in: seconds, return_url, description } = body;
    const country = (billing as { address?: { country?: unknown } } | undefined)?.address?.country;
    const channel = body['processing_channel_id'];
    if (!Number.isInteger(amount) || (amount as number) < 1) return invalid('amount_invalid');
    if (typeof currency !== 'string' || !/^[A-Z]{3}$/.test(currency)) return invalid('currency_invalid');
    if (typeof country !== 'string' || !/^[A-Z]{2}$/.test(country)) return invalid('billing_address_country_invalid');
    if (typeof channel !== 'string') return invalid('processing_channel_id_required');
    if (typeof reference !== 'string' || reference.length > 50) return invalid('reference_invalid');
    if (typeof description === 'string' && description.length > 100) return invalid('description_invalid');
    if (typeof return_url !== 'string') return invalid('return_url_invalid');
    if (typeof seconds !== 'number' || seconds < 1 || seconds > MAX_EXPIRY_SECONDS)
      return invalid('expires_in_invalid');
    const payment_type = body['payment_type'] ?? 'Regular';
    if (!isPaymentType(payment_type)) return invalid('payment_type_invalid');
    // The stand-in supports only links without automatic capture, because the platform creates no others.
    if (body['capture'] !== false) return invalid('capture_unsupported_by_standin');
    const now = Date.now();
    const link: Link = {
      account,
      id: idOf('pl'),
      amount: amount as number,
      currency,
      reference,
      metadata: (metadata ?? {}) as Record<string, string>,
      processing_channel_id: channel,
      payment_type,
      return_url,
      created_on: new Date(now).toISOString(),
      expires_on: new Date(now + seconds * 1000).toISOString(),
      payment_id: null,
    };
    this.state.kept.link[link.id] = link;
    const { id, expires_on } = link;
    return jsonAnswer(201, { id, expires_on, reference, _links: this.addressesOf(link) });
  }

  /** GET /payment-links/{id} */
  read(account: string, id: string): Answer {
    const link = this.state.kept.link[id];
    if (link?.account !== account) return missing();
    const { account: _, payment_id, ...shown } = link;
    return jsonAnswer(200, {
      ...shown,
      status: statusOfLink(link),
      ...(payment_id && { payment_id }),
      _links: this.addressesOf(link),
    });
  }

  /** Serves the page: the form, or its submission. */
  async serve(exchange: Exchange): Promise<Answer> {
    const link = this.state.kept.link[exchange.url.pathname.split('/')[2] ?? ''];
    if (!link || statusOfLink(link) !== 'Active') return page(404, 'This link has ended.');
    if (exchange.method !== 'POST') return form(link);
    const token = new URLSearchParams(await exchange.text()).get('token') ?? '';
    // Another payer may have paid in the meantime.
    if (statusOfLink(link) !== 'Active') return page(404, 'This link has ended.');
    const { account, amount, currency, reference, metadata, payment_type } = link;
    const payment = this.desk.authorize(account, token, { amount, currency, reference, metadata, payment_type });
    if (statusOf(payment) === 'Declined') return page(402, `Refused: ${payment.response_summary}`);
    link.payment_id = payment.id;
    this.state.save();
    return redirect(link.return_url);
  }

  /** Lets all links expire now. */
  expire(): void {
    for (const link of Object.values(this.state.kept.link)) link.expires_on = new Date().toISOString();
    this.state.save();
  }

  private addressesOf({ id }: Link): Fields {
    return { self: { href: `${this.url()}/payment-links/${id}` }, redirect: { href: `${this.url()}/link/${id}` } };
  }
}

function statusOfLink({ payment_id, expires_on }: Link): 'Active' | 'Payment Received' | 'Expired' {
  if (payment_id) return 'Payment Received';
  return Date.parse(expires_on) <= Date.now() ? 'Expired' : 'Active';
}

const page = (status: number, text: string): Answer => wholePage('Checkout.com', `<p>${escapeHtml(text)}</p>`, status);

const form = ({ amount }: Link): Answer => {
  const cards = Object.entries(CARDS).map(([name, token]) => `<option value="${token}">${escapeHtml(name)}</option>`);
  const price = `Pay $${(amount / 100).toFixed(2)}`;
  return wholePage(
    'Checkout.com',
    `<form method="post"><select name="token">${cards.join('')}</select><button>${price}</button></form>`,
  );
};
