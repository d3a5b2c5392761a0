/** Actions at the gateway without us: we learn of them only by events. */
import StripeSdk from 'stripe';
import { stripeAddress } from '../../../gateways/payments/stripe.js';
import { asOwner } from '../owner.js';

/** The account as `aProcessor` connects it. */
export const accountKeyOf = (processorId: string): string => `sk_test_${processorId.replaceAll('-', '')}`;

export const choose = <T>(from: T[], index: number): T | undefined => from[index % Math.max(1, from.length)];

export class Outsider {
  private readonly stripe: StripeSdk;

  constructor(
    gatewayUrl: string,
    private readonly organizationId: string,
    private readonly processorId: string,
  ) {
    this.stripe = new StripeSdk(accountKeyOf(processorId), {
      ...stripeAddress(gatewayUrl),
      maxNetworkRetries: 0,
      telemetry: false,
    });
  }

  /** Charges for invoices: the gateway's ledger names remittances only. */
  readonly invoiceCharges = new Set<string>();

  /** Captures money for a remittance without an attempt of ours. */
  async charge(remittanceId: string, cents: number): Promise<void> {
    await this.take(cents, { remittance_id: remittanceId });
  }

  /** Captures money for an invoice without a request of ours. */
  async chargeInvoice(invoiceId: string, cents: number): Promise<void> {
    this.invoiceCharges.add(await this.take(cents, { invoice_id: invoiceId }));
  }

  private async take(cents: number, reference: Record<string, string>): Promise<string> {
    const { id } = await this.stripe.paymentIntents.create({
      amount: cents,
      currency: 'usd',
      metadata: { organization_id: this.organizationId, processor_id: this.processorId, ...reference },
      automatic_payment_methods: { enabled: true, allow_redirects: 'never' },
      payment_method: 'pm_card_visa',
      confirm: true,
    });
    return id;
  }

  /** Refunds a part of the rest of one of our charges. */
  async refund(pick: number, percent: number): Promise<void> {
    const captures = await asOwner<{ intent: string; cents: number }>(
      `SELECT intent_id AS intent, (amount_cents - refunded_cents)::int AS cents FROM processor_captures
        WHERE organization_id = $1 ORDER BY id`,
      [this.organizationId],
    );
    const capture = choose(captures, pick);
    const amount = Math.floor(((capture?.cents ?? 0) * percent) / 100);
    if (!capture || amount === 0) return;
    try {
      await this.stripe.refunds.create({ payment_intent: capture.intent, amount });
    } catch (error) {
      // Refunded already, by a step whose event is still pending.
      if (!(error instanceof StripeSdk.errors.StripeInvalidRequestError)) throw error;
    }
  }

  /** Refunds that have not failed, of all charges. */
  async standingRefunds(): Promise<string[]> {
    const { data } = await this.stripe.refunds.list({ limit: 100 });
    return data.filter(({ status }) => status !== 'failed').map(({ id }) => id);
  }
}
