/** Gifts at the providers that authorize or capture in another way than Stripe; each by its SDK over its stand-in. */
import { CARDS } from '../../development/standins/checkout/state.js';
import { VAULT } from '../../development/standins/paypal/money.js';
import type { Ordered } from '../support/cardStandin.js';
import { aCheckoutProcessor, startCheckout } from '../support/checkout.js';
import { aFoundation, type Foundation } from '../support/foundation.js';
import { give, giftOf } from '../support/giving.js';
import { asOwner } from '../support/owner.js';
import { aPaypalProcessor, startPaypal } from '../support/paypal.js';
import { aPlatform, eventually, type Platform } from '../support/platform.js';
import { aSquareProcessor, startSquare } from '../support/square.js';
import { aWorld, type World } from '../support/world.js';

const platform = aPlatform();

interface Provider<Standin> {
  start(): Promise<Standin>;
  connect(platform: Platform, standin: Standin, world: World): Promise<string>;
  /** The field of its page for the card, a good card, and one that is declined. */
  card: Record<string, string>;
  declinedCard: Record<string, string>;
}

/** Lets the foundation take gifts with another account. */
async function useAccount(foundation: Foundation, processorId: string): Promise<void> {
  await asOwner('UPDATE org_payment_processors SET disabled_at = now() WHERE id = $1', [foundation.processorId]);
  await asOwner(`UPDATE org_payment_processors SET purpose = 'foundation' WHERE id = $1`, [processorId]);
  await asOwner('UPDATE foundation_payment_processors SET processor_id = $2 WHERE foundation_id = $1', [
    foundation.foundationId,
    processorId,
  ]);
}

function takesGifts<Standin extends Ordered & { close(): Promise<unknown> }>(
  name: string,
  provider: Provider<Standin>,
) {
  test(`at ${name} a declined gift fails; a paid one is completed at the time of its charge, and is refunded`, async () => {
    const standin = await provider.start();
    const world = await aWorld({ members: 1 });
    const foundation = await aFoundation(world);
    await useAccount(foundation, await provider.connect(platform, standin, world));
    const pay = (url: string, card: Record<string, string>) =>
      fetch(url, { method: 'POST', redirect: 'manual', body: new URLSearchParams(card) });
    const { body: refused } = await give(platform.api.url, foundation);
    await pay(refused.checkout_url, provider.declinedCard);
    const failed = await eventually(
      () => giftOf(refused.donation_id),
      (one) => one['status'] === 'failed',
    );
    expect(failed).toMatchObject({ entries: [], raised_cents: 0 });
    const { status, body } = await give(platform.api.url, foundation);
    expect(status).toBe(201);
    const answer = await pay(body.checkout_url, provider.card);
    expect(answer.headers.get('location')).toContain(`/donation-success/?donation_id=${body.donation_id}`);
    const gift = await eventually(
      () => giftOf(body.donation_id),
      (one) => one['status'] === 'completed',
    );
    expect(gift).toMatchObject({ entries: [['received', 5_000]], raised_cents: 5_000 });
    const [capture] = await asOwner<{ captured_at: Date | null }>(
      'SELECT captured_at FROM processor_captures WHERE donation_id = $1',
      [body.donation_id],
    );
    expect(capture?.captured_at).toEqual(gift['charged_at']);
    expect(await standin.moved()).toEqual({ captured: 5_000, refunded: 0 });
    const admin = platform.client(foundation.admin);
    const path = `/api/foundation/donations/${body.donation_id}/refund/`;
    expect((await admin.post(path, { reason: 'The donor asked for it.' })).status).toBe(201);
    await eventually(
      () => giftOf(body.donation_id),
      (one) => one['status'] === 'refunded',
    );
    expect(await standin.moved()).toEqual({ captured: 5_000, refunded: 5_000 });
    await standin.close();
  });
}

takesGifts('Square', {
  start: startSquare,
  connect: aSquareProcessor,
  card: { source_id: 'cnon:card-nonce-ok' },
  declinedCard: { source_id: 'cnon:card-nonce-declined' },
});
takesGifts('PayPal', {
  start: startPaypal,
  connect: aPaypalProcessor,
  card: { source: VAULT.good },
  declinedCard: { source: VAULT.captureDeclined },
});
takesGifts('Checkout.com', {
  start: startCheckout,
  connect: aCheckoutProcessor,
  card: { token: CARDS.good },
  declinedCard: { token: CARDS.declined },
});
