/** The contract of every port to a card processor: written once, run for each provider with its stand-in. */
import { randomUUID } from 'node:crypto';
import { heldByDisputes } from '../../../activities/finances/readMovements.js';
import type { EventReader } from '../../../gateways/payments/events.js';
import {
  CARD_GONE,
  type ChargeReference,
  ChargeRefused,
  type ChargeState,
  type Credentials,
  CredentialsRefused,
  EventRefused,
  type Movement,
  type MovementPage,
  type OpenChargeRequest,
  OutcomeUnknown,
  type PaymentPort,
} from '../../../gateways/payments/port.js';
import { adapterOf, paymentPort } from '../../../gateways/payments/processors.js';
import type { Provider } from '../../../models/finances/payment-processors/OrgPaymentProcessor.js';
import {
  CARD_GONE_CODE,
  mayChargeAgain,
  providerFacts,
} from '../../../models/finances/payment-processors/providers.js';
import { eventually } from '../../support/eventually.js';
import { opened } from './opened.js';

/** A request whose answer is lost. */
export type LostStep = 'open' | 'confirm' | 'cancel' | 'refund' | 'page' | 'forget';
/** The stand-in's name of each step. A provider that keeps no cards cannot forget one. */
export type Operations = Record<Exclude<LostStep, 'forget'>, string> & { forget?: string };

/** The behaviour of a kept card from now on. */
export type KeptCardChange = 'good' | 'declined' | 'stolen' | 'authentication_required' | 'deleted';

/** An event as the provider would send it. */
export interface SignedEvent {
  rawBody: Buffer;
  headers: Record<string, string>;
}

/** Money that moved at the stand-in. */
export interface Moved {
  kind: 'capture' | 'refund';
  amount_cents: number;
}

/** A provider, and the facts about its stand-in that these tests need. */
export interface ProviderUnderTest {
  provider: string;
  /**
   * unlisted: pages cannot be listed; one whose opening got no answer captures nothing and is opened again. endless: the same,
   * without idempotency keys, so that two pages exist then; and pages cannot be closed, but capture nothing without a look at them.
   */
  pages?: 'unlisted' | 'endless';
  /** Starts a fresh stand-in and points the adapter at it. */
  start: () => Promise<StandinUnderTest>;
  /** Credentials of a separate account for each name. */
  credentials: (account: string) => Credentials;
  /** Tokens of cards. */
  cards: {
    good: string;
    declined: string;
    pendingRefund: string;
    /** A card whose bank wants its holder; only for a provider that keeps cards. */
    authenticationRequired?: string;
  };
}

export interface StandinUnderTest {
  close(): Promise<unknown>;
  /** Requests of this kind get no answer until it recovers: either they were carried out, or they never arrived. */
  lose(step: LostStep, when: 'before' | 'after'): Promise<unknown>;
  recover(): Promise<unknown>;
  revoke(credentials: Credentials): Promise<unknown>;
  concludeRefund(gatewayRefundId: string, status: 'succeeded' | 'failed'): Promise<unknown>;
  payOnPage(url: string, card: string): Promise<unknown>;
  /** Changes the kept card with which this charge was paid. Only for a provider that keeps cards. */
  changeKeptCard?(intentId: string, becomes: KeptCardChange): Promise<unknown>;
  moved(): Promise<Moved[]>;
  /** An event that this charge captured money, signed at that time for that address. */
  event(of: {
    intentId: string;
    amountCents: number;
    reference: ChargeReference;
    secret: string;
    url: string;
    at: Date;
  }): Promise<SignedEvent>;
  disputes: {
    /** The payer's bank charges this amount back. @returns the provider's id of the dispute */
    open(of: { intentId: string; amountCents: number }): Promise<string>;
    decide(dispute: string, decision: 'won' | 'lost'): Promise<unknown>;
    /** An event of the dispute, signed at that time for that address. */
    event(of: { intentId: string; dispute: string; secret: string; url: string; at: Date }): Promise<SignedEvent>;
  };
}

const AMOUNT = 5_000;
const URL = 'https://api.example.org/api/finances/webhooks/processor/?processor=7f1c';
const SECRET = 'whsec_of_this_processor';

export function behavesAsAPort({ provider, pages, start, credentials, cards }: ProviderUnderTest): void {
  const adapter = adapterOf(provider);
  let standin: StandinUnderTest;
  let port: PaymentPort;
  let reference: Record<string, string>;
  const at = (account: string): PaymentPort => paymentPort({ provider, credentials: credentials(account) });

  beforeEach(async () => {
    standin = await start();
    port = at('one');
    reference = {
      organization_id: randomUUID(),
      processor_id: randomUUID(),
      invoice_id: randomUUID(),
      attempt_id: randomUUID(),
    };
  });
  afterEach(() => standin.close());

  const anOpening = (more: Partial<OpenChargeRequest> = {}): OpenChargeRequest => ({
    amountCents: AMOUNT,
    currency: 'usd',
    reference,
    paymentMethod: cards.good,
    idempotencyKey: `open:${reference['attempt_id']}`,
    askedAt: null,
    ...more,
  });
  const open = (more: Partial<OpenChargeRequest> = {}) => opened(port, anOpening(more));
  const confirm = (intentId: string, paymentMethod = cards.good, key = `confirm:${reference['attempt_id']}:0`) =>
    port.confirmCharge({ intentId, paymentMethod, idempotencyKey: key });
  /** Some providers report the capture at once, others on a later request. */
  const settled = async (state: ChargeState): Promise<ChargeState> => {
    if (state.status !== 'processing') return state;
    return eventually(
      () => port.readCharge(state.intentId),
      ({ status }) => status !== 'processing',
    );
  };
  const captured = async (paymentMethod = cards.good): Promise<string> => {
    const intentId = await open({ paymentMethod });
    expect(await settled(await confirm(intentId, paymentMethod))).toMatchObject({ status: 'captured' });
    return intentId;
  };
  /** Opens and confirms: one of the two refuses a bad card. */
  const charge = async (paymentMethod: string) => {
    const answer = await port.openCharge(anOpening({ paymentMethod }));
    return answer.status === 'declined' ? answer : settled(await confirm(answer.intentId, paymentMethod));
  };
  const aRefund = (intentId: string, more: { refundId?: string; amountCents?: number } = {}) => {
    const refundId = more.refundId ?? randomUUID();
    const { organization_id, processor_id } = reference as { organization_id: string; processor_id: string };
    return {
      intentId,
      amountCents: more.amountCents ?? AMOUNT,
      refundId,
      reference: { organization_id, processor_id },
      idempotencyKey: `refund:${refundId}`,
    };
  };
  const sumOf = async (kind: Moved['kind']) =>
    (await standin.moved()).filter((one) => one.kind === kind).reduce((sum, { amount_cents }) => sum + amount_cents, 0);
  const lost = async (step: LostStep, when: 'before' | 'after', ask: () => Promise<unknown>): Promise<void> => {
    await standin.lose(step, when);
    await expect(ask()).rejects.toBeInstanceOf(OutcomeUnknown);
    await standin.recover();
  };
  /** Repeats the request until there is an answer, as a process does. */
  const insisting = async <T>(ask: () => Promise<T>): Promise<T> => {
    for (let left = 50; ; left -= 1) {
      try {
        return await ask();
      } catch (error) {
        if (!(error instanceof OutcomeUnknown) || left === 0) throw error;
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    }
  };

  describe(`${provider}: the account`, () => {
    test('the same credentials have the same account id, and those of another account another one', async () => {
      const one = await port.readAccount();
      expect(one.accountId).toMatch(/^\S{3,200}$/);
      expect(await at('one').readAccount()).toEqual(one);
      expect((await at('two').readAccount()).accountId).not.toBe(one.accountId);
    });

    test("the adapter reads the account id without the provider's library, with the same result", async () => {
      expect(await adapter.readAccount(credentials('one'))).toEqual(await port.readAccount());
    });

    test('revoked credentials are refused, without an outcome for any charge', async () => {
      const intentId = await captured();
      await standin.revoke(credentials('one'));
      await expect(at('one').readAccount()).rejects.toBeInstanceOf(CredentialsRefused);
      await expect(adapter.readAccount(credentials('one'))).rejects.toBeInstanceOf(CredentialsRefused);
      await expect(at('one').readCharge(intentId)).rejects.toBeInstanceOf(CredentialsRefused);
      await expect(at('one').cancelCharge(intentId)).rejects.toBeInstanceOf(CredentialsRefused);
    });

    test('no error carries a credential', async () => {
      await standin.revoke(credentials('one'));
      const errors = await Promise.all(
        [at('one').readAccount(), at('one').openCharge(anOpening()), at('one').readRefunds('nobody')].map((call) =>
          call.then(
            () => null,
            (error: unknown) => error as Error,
          ),
        ),
      );
      for (const error of errors)
        for (const value of Object.values(credentials('one')))
          expect(JSON.stringify([error, error?.message, error?.stack, error?.cause])).not.toContain(value);
    });
  });

  describe(`${provider}: a charge`, () => {
    test('an opened charge captures nothing', async () => {
      const intentId = await open();
      expect(await port.readCharge(intentId)).toEqual({ status: 'waiting', intentId });
      expect(await standin.moved()).toEqual([]);
    });

    test('a confirmed charge captures the whole amount once', async () => {
      const intentId = await open();
      const charge = { status: 'captured', intentId, capturedCents: AMOUNT };
      expect(await settled(await confirm(intentId))).toMatchObject(charge);
      expect(await sumOf('capture')).toBe(AMOUNT);
    });

    test('a charge that is confirmed again, under the same key and another, captures nothing more', async () => {
      const intentId = await captured();
      for (const key of [`confirm:${reference['attempt_id']}:0`, `confirm:${reference['attempt_id']}:1`])
        await confirm(intentId, cards.good, key).catch(() => null);
      expect(await port.readCharge(intentId)).toMatchObject({ status: 'captured', capturedCents: AMOUNT });
      expect(await sumOf('capture')).toBe(AMOUNT);
    });

    test('ten simultaneous confirmations capture once', async () => {
      const intentId = await open();
      await Promise.all(Array.from({ length: 10 }, () => confirm(intentId).catch(() => null)));
      expect(await settled(await port.readCharge(intentId))).toMatchObject({
        status: 'captured',
        capturedCents: AMOUNT,
      });
      expect(await sumOf('capture')).toBe(AMOUNT);
    });

    test('a refused card captures nothing, and its reason is returned', async () => {
      expect(await charge(cards.declined)).toMatchObject({
        status: 'declined',
        failureCode: expect.stringMatching(/^[\w.-]{3,100}$/),
        failureMessage: expect.stringMatching(/\S/),
      });
      expect(await standin.moved()).toEqual([]);
    });

    test('opening with the same key returns the same charge', async () => {
      expect(await open()).toBe(await open());
    });

    test("a key that is longer than the provider's limit opens a charge all the same", async () => {
      expect(await open({ idempotencyKey: `open:${reference['attempt_id']}:1234567890` })).toMatch(/^\S{3,200}$/);
    });

    test('a cancelled charge can never be captured', async () => {
      const intentId = await open();
      expect(await port.cancelCharge(intentId)).toMatchObject({ status: 'cancelled', intentId });
      expect(await port.cancelCharge(intentId)).toMatchObject({ status: 'cancelled', intentId });
      await confirm(intentId).catch(() => null);
      expect(await port.readCharge(intentId)).toEqual({ status: 'cancelled', intentId });
      expect(await standin.moved()).toEqual([]);
    });

    test('a late cancellation returns that the charge was captured', async () => {
      const intentId = await captured();
      expect(await settled(await port.cancelCharge(intentId))).toMatchObject({
        status: 'captured',
        capturedCents: AMOUNT,
      });
    });

    test('a charge of another account is refused, without an outcome', async () => {
      await expect(port.readCharge(await idOfAnother())).rejects.toBeInstanceOf(ChargeRefused);
      await expect(port.readRefunds(await idOfAnother())).rejects.toBeInstanceOf(ChargeRefused);
    });
  });

  const idOfAnother = () => opened(at('two'), anOpening({ idempotencyKey: `open:${randomUUID()}` }));

  describe(`${provider}: lost answers`, () => {
    test.each(['before', 'after'] as const)(
      'an opening whose answer is lost %s it was carried out leads to one charge when it is repeated',
      async (when) => {
        await lost('open', when, () => port.openCharge(anOpening()));
        const intentId = await insisting(() => open({ askedAt: new Date() }));
        expect(await settled(await confirm(intentId))).toMatchObject({ status: 'captured', capturedCents: AMOUNT });
        expect(await sumOf('capture')).toBe(AMOUNT);
      },
    );

    test.each(['before', 'after'] as const)(
      'an opening whose answer is lost %s it was carried out holds no money once it is closed',
      async (when) => {
        await lost('open', when, () => port.openCharge(anOpening()));
        const state = await insisting(() => port.closeOpening(anOpening({ askedAt: new Date() })));
        expect([null, 'cancelled', 'declined']).toContain(state && state.status);
        expect(await standin.moved()).toEqual([]);
      },
    );

    test('an opening that never arrived can be closed', async () => {
      const state = await insisting(() => port.closeOpening(anOpening({ askedAt: new Date() })));
      expect([null, 'cancelled']).toContain(state && state.status);
    });

    test.each(['before', 'after'] as const)(
      'a confirmation whose answer is lost %s it was carried out is looked up, and captured once',
      async (when) => {
        const intentId = await open();
        await lost('confirm', when, () => confirm(intentId));
        const state = await settled(await port.readCharge(intentId));
        expect(state.status).toBe(when === 'after' ? 'captured' : 'waiting');
        if (state.status === 'waiting') await confirm(intentId);
        expect(await settled(await port.readCharge(intentId))).toMatchObject({ status: 'captured' });
        expect(await sumOf('capture')).toBe(AMOUNT);
      },
    );

    test('a cancellation whose answer is lost is repeated, and the charge is cancelled', async () => {
      const intentId = await open();
      await lost('cancel', 'after', () => port.cancelCharge(intentId));
      expect(await port.cancelCharge(intentId)).toMatchObject({ status: 'cancelled' });
    });

    test.each(['before', 'after'] as const)(
      'a refund whose answer is lost %s it was carried out is made once under its key',
      async (when) => {
        const refund = aRefund(await captured());
        await lost('refund', when, () => port.refundCharge(refund));
        await insisting(() => port.refundCharge(refund));
        const made = await port.readRefunds(refund.intentId);
        expect(made).toMatchObject([{ amountCents: AMOUNT, refundId: refund.refundId }]);
      },
    );
  });

  describe(`${provider}: a refund`, () => {
    test('a charge without refunds has an empty list of refunds', async () => {
      expect(await port.readRefunds(await captured())).toEqual([]);
    });

    test('a refund is found by its reference, and made once under its key', async () => {
      const refund = aRefund(await captured());
      const first = await port.refundCharge(refund);
      expect((await port.refundCharge(refund)).gatewayRefundId).toBe(first.gatewayRefundId);
      expect(await port.readRefunds(refund.intentId)).toMatchObject([
        { gatewayRefundId: first.gatewayRefundId, amountCents: AMOUNT, refundId: refund.refundId },
      ]);
    });

    test('partial refunds add up to the captured amount at most', async () => {
      const intentId = await captured();
      await port.refundCharge(aRefund(intentId, { amountCents: 2_000 }));
      await port.refundCharge(aRefund(intentId, { amountCents: 3_000 }));
      await expect(port.refundCharge(aRefund(intentId, { amountCents: 1 }))).rejects.toBeInstanceOf(ChargeRefused);
      const made = await port.readRefunds(intentId);
      expect(made.map(({ amountCents }) => amountCents).toSorted((a, b) => a - b)).toEqual([2_000, 3_000]);
    });

    test('a refund above the captured amount is refused, and nothing is refunded', async () => {
      const intentId = await captured();
      await expect(port.refundCharge(aRefund(intentId, { amountCents: AMOUNT + 1 }))).rejects.toBeInstanceOf(
        ChargeRefused,
      );
      expect(await port.readRefunds(intentId)).toEqual([]);
    });

    test('one of two simultaneous refunds that together exceed the charge is made', async () => {
      const intentId = await captured();
      const refunding = [1, 2].map(() => port.refundCharge(aRefund(intentId, { amountCents: 3_000 })));
      const answers = await Promise.allSettled(refunding);
      expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
      expect(await port.readRefunds(intentId)).toHaveLength(1);
    });

    test('a refund that takes the bank days is pending, succeeds, and may fail later', async () => {
      const refund = aRefund(await captured(cards.pendingRefund));
      const { status, gatewayRefundId } = await port.refundCharge(refund);
      expect(status).toBe('pending');
      await standin.concludeRefund(gatewayRefundId, 'succeeded');
      expect(await port.readRefunds(refund.intentId)).toMatchObject([{ status: 'refunded' }]);
      await standin.concludeRefund(gatewayRefundId, 'failed');
      expect(await port.readRefunds(refund.intentId)).toMatchObject([
        { status: 'failed', failureCode: expect.stringMatching(/^\S+$/), amountCents: AMOUNT },
      ]);
    });

    test('a refund of an uncaptured charge is refused', async () => {
      const intentId = await open();
      await expect(port.refundCharge(aRefund(intentId))).rejects.toBeInstanceOf(ChargeRefused);
    });
  });

  const aPage = (more: { idempotencyKey?: string } = {}) => ({
    amountCents: AMOUNT,
    currency: 'usd',
    description: 'Dues & <more>',
    reference,
    idempotencyKey: `hosted:${reference['attempt_id']}:1`,
    doneUrl: 'https://app.example.org/donation-success/?donation_id=1',
    cancelUrl: 'https://app.example.org/donate/1?given=2',
    ...more,
  });
  const period = () => ({ from: new Date(Date.now() - 600_000), to: new Date(Date.now() + 600_000) });

  describe(`${provider}: a page`, () => {
    test('a page opens, and can be paid', async () => {
      const page = await port.openHostedPayment(aPage());
      expect(page).toMatchObject({ url: expect.stringMatching(/^https?:/), expiresAt: expect.any(Date) });
      expect(page.expiresAt.getTime()).toBeGreaterThan(Date.now());
      expect(await port.readHostedPayment(page.sessionId)).toEqual({ status: 'open' });
    });

    test('a paid page returns its charge and the amount', async () => {
      const { sessionId, url } = await port.openHostedPayment(aPage());
      await standin.payOnPage(url ?? '', cards.good);
      const state = await port.readHostedPayment(sessionId);
      expect(state).toMatchObject({ status: 'paid', capturedCents: AMOUNT, currency: 'usd' });
      expect(await sumOf('capture')).toBe(AMOUNT);
    });

    test('a page says when it was paid, and so does its charge', async () => {
      const { sessionId, url } = await port.openHostedPayment(aPage());
      await standin.payOnPage(url ?? '', cards.good);
      const state = await port.readHostedPayment(sessionId);
      const [intentId, at] = state.status === 'paid' ? [state.intentId, state.capturedAt?.getTime()] : [];
      expect(Math.abs(Number(at) - Date.now())).toBeLessThan(60_000);
      expect(await port.readCharge(intentId ?? '')).toMatchObject({ capturedAt: new Date(Number(at)) });
    });

    test('a payment on a page is refunded like any charge', async () => {
      const { sessionId, url } = await port.openHostedPayment(aPage());
      await standin.payOnPage(url ?? '', cards.good);
      const state = await port.readHostedPayment(sessionId);
      const intentId = state.status === 'paid' ? state.intentId : '';
      expect(await port.readCharge(intentId)).toMatchObject({ status: 'captured', capturedCents: AMOUNT });
      await port.refundCharge(aRefund(intentId));
      expect(await port.readRefunds(intentId)).toMatchObject([{ amountCents: AMOUNT }]);
    });

    test('a page that is paid twice at once captures once', async () => {
      const { url } = await port.openHostedPayment(aPage());
      await Promise.allSettled([1, 2].map(() => standin.payOnPage(url ?? '', cards.good)));
      expect(await sumOf('capture')).toBe(AMOUNT);
    });

    const whereClosable = pages === 'endless' ? () => {} : test;
    whereClosable('closed, nobody can pay on it', async () => {
      const { sessionId, url } = await port.openHostedPayment(aPage());
      expect(await port.expireHostedPayment(sessionId)).toEqual({ status: 'closed' });
      expect(await port.expireHostedPayment(sessionId)).toEqual({ status: 'closed' });
      await standin.payOnPage(url ?? '', cards.good).catch(() => null);
      expect(await standin.moved()).toEqual([]);
      expect(await port.readHostedPayment(sessionId)).toEqual({ status: 'closed' });
    });

    test('a page that is closed too late returns that it was paid', async () => {
      const { sessionId, url } = await port.openHostedPayment(aPage());
      await standin.payOnPage(url ?? '', cards.good);
      expect(await port.expireHostedPayment(sessionId)).toMatchObject({ status: 'paid', capturedCents: AMOUNT });
    });

    if (pages === 'unlisted')
      test('a page whose opening got no answer is opened again under any key, and captures nothing', async () => {
        await lost('page', 'after', () => port.openHostedPayment(aPage()));
        expect(await port.findHostedPayments(reference, period())).toEqual([]);
        const again = await Promise.all(
          ['1', '2'].map((key) => port.openHostedPayment(aPage({ idempotencyKey: key }))),
        );
        expect(new Set(again.map(({ sessionId }) => sessionId)).size).toBe(1);
        expect(await standin.moved()).toEqual([]);
      });
    const whereListed = pages ? () => {} : test;
    whereListed('one whose opening got no answer is found by its reference, and another attempt is not', async () => {
      await lost('page', 'after', () => port.openHostedPayment(aPage()));
      const found = await port.findHostedPayments(reference, period());
      expect(found).toHaveLength(1);
      expect(await port.readHostedPayment(found[0]?.sessionId ?? '')).toEqual({ status: 'open' });
      expect(await port.findHostedPayments({ ...reference, attempt_id: randomUUID() }, period())).toEqual([]);
    });

    whereClosable('the same key opens the same page', async () => {
      const { sessionId } = await port.openHostedPayment(aPage());
      expect((await port.openHostedPayment(aPage())).sessionId).toBe(sessionId);
    });
  });

  const keepsCards = providerFacts(provider as Provider).capabilities.includes('recurring');
  if (!keepsCards)
    describe(`${provider}: no kept cards`, () => {
      const refusal = { name: 'ChargeRefused', failureCode: 'recurring_not_supported' };

      test('a page that would keep the card, and a charge of a kept card, are refused', async () => {
        await expect(port.openHostedPayment({ ...aPage(), keepsCard: true })).rejects.toMatchObject(refusal);
        await expect(port.openCharge(anOpening({ isKept: true }))).rejects.toMatchObject(refusal);
        expect(await standin.moved()).toEqual([]);
      });

      test('no charge can be searched, and no card can be forgotten', async () => {
        await expect(port.findCharge({ pledge_id: randomUUID() }, period())).rejects.toMatchObject(refusal);
        await expect(port.forgetCard(cards.good)).rejects.toMatchObject(refusal);
      });
    });
  else
    describe(`${provider}: a kept card`, () => {
      /** Pays on a page that keeps the card, and continues with the marks of the pledge's next charge. */
      const aKeptCard = async (card = cards.good) => {
        delete reference['invoice_id'];
        const ids = { donation_id: randomUUID(), pledge_id: randomUUID(), attempt_id: randomUUID() };
        Object.assign(reference, ids);
        const { sessionId, url } = await port.openHostedPayment({ ...aPage(), keepsCard: true });
        await standin.payOnPage(url ?? '', card);
        const state = await insisting(async () => {
          const now = await port.readHostedPayment(sessionId);
          if (now.status === 'processing') throw new OutcomeUnknown('not yet');
          return now;
        });
        if (state.status !== 'paid' || !state.keptCard) throw new Error('The page kept no card.');
        const first = { ...reference };
        Object.assign(reference, { donation_id: randomUUID(), attempt_id: randomUUID() });
        return { keptCard: state.keptCard, intentId: state.intentId, first };
      };
      const ofKept = (keptCard: string) => anOpening({ paymentMethod: keptCard, isKept: true });
      const confirmKept = (intentId: string, keptCard: string) =>
        port.confirmCharge({
          intentId,
          paymentMethod: keptCard,
          isKept: true,
          idempotencyKey: `confirm:${reference['attempt_id']}:0`,
        });
      const openKept = async (keptCard: string, askedAt: Date | null = null): Promise<string> => {
        const answer = await port.openCharge({ ...ofKept(keptCard), askedAt });
        if (answer.status !== 'opened') throw new Error(`The charge was refused: ${answer.failureCode}.`);
        return answer.intentId;
      };
      const chargeKept = async (keptCard: string) => {
        const answer = await port.openCharge(ofKept(keptCard));
        return answer.status === 'declined' ? answer : settled(await confirmKept(answer.intentId, keptCard));
      };
      const change = (intentId: string, becomes: KeptCardChange) => standin.changeKeptCard?.(intentId, becomes);

      test('a page returns the card only if it was to keep it', async () => {
        const { sessionId, url } = await port.openHostedPayment(aPage());
        await standin.payOnPage(url ?? '', cards.good);
        expect(await port.readHostedPayment(sessionId)).toMatchObject({ status: 'paid', keptCard: null });
        expect((await aKeptCard()).keptCard).toMatch(/^\S{5,300}$/);
      });

      test('it is charged again and again without its holder', async () => {
        const { keptCard } = await aKeptCard();
        for (const times of [2, 3]) {
          expect(await chargeKept(keptCard)).toMatchObject({ status: 'captured', capturedCents: AMOUNT });
          expect(await sumOf('capture')).toBe(times * AMOUNT);
          reference['attempt_id'] = randomUUID();
        }
      });

      test('an opened charge of it captures nothing, and cancelled it never will', async () => {
        const { keptCard } = await aKeptCard();
        const intentId = await openKept(keptCard);
        expect(await port.readCharge(intentId)).toEqual({ status: 'waiting', intentId });
        expect(await port.cancelCharge(intentId)).toMatchObject({ status: 'cancelled' });
        await confirmKept(intentId, keptCard).catch(() => null);
        expect(await port.readCharge(intentId)).toEqual({ status: 'cancelled', intentId });
        expect(await sumOf('capture')).toBe(AMOUNT);
      });

      test('a bank that wants the holder declines it', async () => {
        const { keptCard, intentId } = await aKeptCard(cards.authenticationRequired);
        const declined = { status: 'declined', failureCode: 'authentication_required' };
        expect(await chargeKept(keptCard)).toMatchObject(declined);
        await change(intentId, 'good');
        reference['attempt_id'] = randomUUID();
        expect(await chargeKept(keptCard)).toMatchObject({ status: 'captured' });
        await change(intentId, 'authentication_required');
        reference['attempt_id'] = randomUUID();
        expect(await chargeKept(keptCard)).toMatchObject(declined);
        expect(await sumOf('capture')).toBe(2 * AMOUNT);
      });

      test('it is declined with a reason that tells whether to try it again', async () => {
        const { keptCard, intentId } = await aKeptCard();
        for (const [becomes, again] of [
          ['declined', true],
          ['stolen', false],
        ] as const) {
          await change(intentId, becomes);
          const state = await chargeKept(keptCard);
          expect(state.status).toBe('declined');
          const { failureCode } = state as { failureCode: string };
          expect([becomes, mayChargeAgain(provider as Provider, failureCode)]).toEqual([becomes, again]);
          reference['attempt_id'] = randomUUID();
        }
        expect(await sumOf('capture')).toBe(AMOUNT);
      });

      test.each(['the payer', 'us'] as const)('deleted for %s, it is gone and captures nothing', async (deletedFor) => {
        const { keptCard, intentId } = await aKeptCard();
        await (deletedFor === 'us' ? port.forgetCard(keptCard) : change(intentId, 'deleted'));
        expect(await chargeKept(keptCard)).toMatchObject({ status: 'declined', ...CARD_GONE });
        expect(mayChargeAgain(provider as Provider, CARD_GONE.failureCode)).toBe(false);
        expect(CARD_GONE.failureCode).toBe(CARD_GONE_CODE);
        await port.forgetCard(keptCard);
        await port.forgetCard(keptCard);
        expect(await sumOf('capture')).toBe(AMOUNT);
      });

      test('deleted after a charge was opened, it captures at most that charge', async () => {
        const { keptCard } = await aKeptCard();
        const opened = await openKept(keptCard);
        await port.forgetCard(keptCard);
        const state = await settled(await confirmKept(opened, keptCard));
        expect(['captured', CARD_GONE.failureCode]).toContain(
          state.status === 'declined' ? state.failureCode : state.status,
        );
        expect(await sumOf('capture')).toBe(state.status === 'captured' ? 2 * AMOUNT : AMOUNT);
      });

      test('another account can neither charge nor forget it', async () => {
        const { keptCard } = await aKeptCard();
        await at('two')
          .forgetCard(keptCard)
          .catch(() => null);
        expect(await at('two').openCharge(ofKept(keptCard))).toMatchObject({ status: 'declined', ...CARD_GONE });
        expect(await chargeKept(keptCard)).toMatchObject({ status: 'captured' });
      });

      test('a token of another form is refused', async () => {
        await expect(port.openCharge(ofKept(cards.good))).rejects.toBeInstanceOf(ChargeRefused);
        await expect(port.forgetCard(cards.good)).rejects.toBeInstanceOf(ChargeRefused);
      });

      test.each(['before', 'after'] as const)(
        'an opening whose answer is lost %s it was carried out leads to one charge when it is repeated',
        async (when) => {
          const { keptCard } = await aKeptCard();
          await lost('open', when, () => port.openCharge(ofKept(keptCard)));
          const intentId = await insisting(() => openKept(keptCard, new Date()));
          expect(await settled(await confirmKept(intentId, keptCard))).toMatchObject({ status: 'captured' });
          expect(await sumOf('capture')).toBe(2 * AMOUNT);
        },
      );

      test.each(['before', 'after'] as const)(
        'an opening whose answer is lost %s it was carried out holds no money once it is closed',
        async (when) => {
          const { keptCard } = await aKeptCard();
          await lost('open', when, () => port.openCharge(ofKept(keptCard)));
          const closing = { ...ofKept(keptCard), askedAt: new Date() };
          const state = await insisting(() => port.closeOpening(closing));
          expect([null, 'cancelled', 'declined']).toContain(state && state.status);
          expect(await sumOf('capture')).toBe(AMOUNT);
        },
      );

      test.each(['before', 'after'] as const)(
        'a confirmation whose answer is lost %s it was carried out is looked up, and captured once',
        async (when) => {
          const { keptCard } = await aKeptCard();
          const intentId = await openKept(keptCard);
          await lost('confirm', when, () => confirmKept(intentId, keptCard));
          const state = await settled(await port.readCharge(intentId));
          expect(state.status).toBe(when === 'after' ? 'captured' : 'waiting');
          if (state.status === 'waiting') await confirmKept(intentId, keptCard);
          expect(await settled(await port.readCharge(intentId))).toMatchObject({ status: 'captured' });
          expect(await sumOf('capture')).toBe(2 * AMOUNT);
        },
      );

      test.each(['before', 'after'] as const)(
        'a card whose deletion is lost %s it was carried out is deleted when it is repeated',
        async (when) => {
          const { keptCard } = await aKeptCard();
          await standin.lose('forget', when);
          // A provider's library may repeat a deletion by itself, and then learns that the card is gone.
          await port.forgetCard(keptCard).catch((error: unknown) => expect(error).toBeInstanceOf(OutcomeUnknown));
          await standin.recover();
          await port.forgetCard(keptCard);
          expect(await chargeKept(keptCard)).toMatchObject({ status: 'declined', ...CARD_GONE });
        },
      );

      test('a captured charge is found by its pledge, even after it was refunded', async () => {
        const { keptCard, intentId, first } = await aKeptCard();
        const ofPledge = { pledge_id: reference['pledge_id'] ?? '' };
        const found = { capturedCents: AMOUNT, currency: 'usd', capturedAt: expect.any(Date) };
        expect(await port.findCharge(ofPledge, period())).toEqual({ intentId, reference: first, ...found });
        const opened = await openKept(keptCard);
        expect(await port.findCharge({ attempt_id: reference['attempt_id'] ?? '' }, period())).toBeNull();
        await settled(await confirmKept(opened, keptCard));
        const again = { intentId: opened, reference, ...found };
        expect(await port.findCharge({ attempt_id: reference['attempt_id'] ?? '' }, period())).toEqual(again);
        await port.refundCharge(aRefund(opened));
        expect(await port.findCharge({ attempt_id: reference['attempt_id'] ?? '' }, period())).toEqual(again);
      });

      test('no charge is found for another pledge, another account or another time', async () => {
        await aKeptCard();
        const ofPledge = { pledge_id: reference['pledge_id'] ?? '' };
        const earlier = { from: new Date(Date.now() - 7_200_000), to: new Date(Date.now() - 3_600_000) };
        const later = { from: new Date(Date.now() + 60_000), to: new Date(Date.now() + 120_000) };
        expect(await port.findCharge({ pledge_id: randomUUID() }, period())).toBeNull();
        expect(await at('two').findCharge(ofPledge, period())).toBeNull();
        expect(await port.findCharge(ofPledge, earlier)).toBeNull();
        expect(await port.findCharge(ofPledge, later)).toBeNull();
        await expect(port.findCharge({ pledge_id: "x' OR status:'y" }, period())).rejects.toBeInstanceOf(ChargeRefused);
      });

      test('revoked credentials give no outcome for it', async () => {
        const { keptCard } = await aKeptCard();
        await standin.revoke(credentials('one'));
        for (const ask of [
          () => port.openCharge(ofKept(keptCard)),
          () => port.forgetCard(keptCard),
          () => port.findCharge({ pledge_id: randomUUID() }, period()),
        ])
          await expect(ask()).rejects.toBeInstanceOf(CredentialsRefused);
      });
    });

  describe(`${provider}: a dispute`, () => {
    const read = (intentId: string, dispute: string | null = null) => port.readDisputes(intentId, dispute);
    const bank = () => standin.disputes;

    test('a charge without disputes has an empty list of disputes', async () => {
      expect(await read(await captured())).toEqual([]);
    });

    test('a dispute withdraws its amount unless it is won, and names the reference of its charge', async () => {
      const intentId = await captured();
      const dispute = await bank().open({ intentId, amountCents: 1_200 });
      const facts = { gatewayDisputeId: dispute, amountCents: 1_200, currency: 'usd', reference };
      const [opened, ...more] = await read(intentId);
      expect([opened, more]).toMatchObject([
        { ...facts, decision: 'none', reason: expect.stringMatching(/^\w+$/) },
        [],
      ]);
      expect(opened?.evidenceDueAt?.getTime()).toBeGreaterThan(Date.now());
      expect(heldByDisputes(await read(intentId))).toBe(1_200);
      await expect(port.refundCharge(aRefund(intentId))).rejects.toBeInstanceOf(ChargeRefused);
      for (const [decision, held] of [
        ['won', 0],
        ['lost', 1_200],
        ['won', 0],
      ] as const) {
        await bank().decide(dispute, decision);
        const now = await read(intentId);
        expect([now, heldByDisputes(now)]).toMatchObject([[{ ...facts, decision, evidenceDueAt: null }], held]);
      }
    });

    test('a dispute is returned by its own id and by its charge, and by no other charge', async () => {
      const intentId = await captured();
      const dispute = await bank().open({ intentId, amountCents: AMOUNT });
      expect(await read(intentId, dispute)).toEqual(await read(intentId));
      reference = { ...reference, attempt_id: randomUUID() };
      const other = await captured();
      expect(await read(other)).toEqual([]);
      expect(await read(other, dispute).catch(() => [])).toEqual([]);
    });

    test('an event of a dispute names its charge', async () => {
      const intentId = await captured();
      const dispute = await bank().open({ intentId, amountCents: AMOUNT });
      const at = new Date();
      const sent = await bank().event({ intentId, dispute, secret: SECRET, url: URL, at });
      const event = await adapter.events.read(
        {
          rawBody: sent.rawBody,
          header: (name) => sent.headers[name.toLowerCase()],
          url: URL,
          receivedAt: at.getTime(),
          credentials: async () => credentials('one'),
        },
        [SECRET],
      );
      expect(event).toMatchObject({ type: expect.stringMatching(/^charge\.dispute\./), intentId });
      expect(await read(intentId, event.disputeId ?? null)).toMatchObject([{ gatewayDisputeId: dispute }]);
    });
  });

  describe(`${provider}: movements`, () => {
    /** Up to now: future movements are never listed. */
    const around = () => ({ from: new Date(Date.now() - 3_600_000), to: new Date() });
    const all = async (period = around()): Promise<Movement[]> => {
      const found: Movement[] = [];
      for (let after: string | null = null, pages = 0; pages < 10; pages += 1) {
        const page: MovementPage = await port.listMovements(period, after);
        found.push(...page.movements);
        after = page.next;
        if (after === null) return found;
      }
      throw new Error('The pages have no end.');
    };

    test('captures and refunds are listed once each with their reference, and authorizations are not listed', async () => {
      await open();
      const intentId = await captured();
      const { gatewayRefundId } = await port.refundCharge(aRefund(intentId, { amountCents: 400 }));
      await insisting(async () => {
        if ((await port.readRefunds(intentId)).some(({ status }) => status !== 'refunded'))
          throw new OutcomeUnknown('not yet');
      });
      const movementsRead = (await all()).filter(({ amountCents }) => amountCents !== 0);
      expect(movementsRead).toHaveLength(2);
      expect(movementsRead).toEqual(
        expect.arrayContaining([
          expect.objectContaining({ kind: 'captured', amountCents: AMOUNT, currency: 'usd', intentId }),
          expect.objectContaining({ kind: 'refunded', amountCents: -400, currency: 'usd', intentId, gatewayRefundId }),
        ]),
      );
      expect(movementsRead.find(({ kind }) => kind === 'captured')?.reference).toMatchObject(reference);
      expect(new Set((await all()).map(({ movementId }) => movementId)).size).toBe((await all()).length);
      for (const { at } of movementsRead) expect(Math.abs(at.getTime() - Date.now())).toBeLessThan(3_600_000);
      expect(await all({ from: new Date('2020-01-01'), to: new Date('2020-01-04') })).toEqual([]);
    });

    test('a returned refund adds up to zero', async () => {
      const intentId = await captured(cards.pendingRefund);
      const { gatewayRefundId } = await port.refundCharge(aRefund(intentId));
      await standin.concludeRefund(gatewayRefundId, 'failed');
      const afterCapture = (await all()).filter(({ kind }) => kind !== 'captured');
      expect(afterCapture.reduce((cents, { amountCents }) => cents + amountCents, 0)).toBe(0);
    });

    test('movements of a dispute are listed with their charge', async () => {
      const intentId = await captured();
      const dispute = await standin.disputes.open({
        intentId,
        amountCents: 1_200,
      });
      const disputed = async () => (await all()).filter(({ kind }) => kind === 'disputed');
      expect(await disputed()).toMatchObject([{ amountCents: -1_200, intentId }]);
      await standin.disputes.decide(dispute, 'won');
      const back = await disputed();
      expect(back).toHaveLength(2);
      expect(back.reduce((cents, { amountCents }) => cents + amountCents, 0)).toBe(0);
    });

    test('movements of revoked credentials cannot be read', async () => {
      await standin.revoke(credentials('one'));
      await expect(all()).rejects.toBeInstanceOf(CredentialsRefused);
    });
  });

  describe(`${provider}: events`, () => {
    const now = new Date();
    const events: EventReader = adapter.events;
    const anEvent = async (more: { secret?: string; url?: string; at?: Date } = {}) => {
      const intentId = await captured();
      const sent = await standin.event({
        intentId,
        amountCents: AMOUNT,
        reference,
        secret: SECRET,
        url: URL,
        at: now,
        ...more,
      });
      return { intentId, ...sent };
    };
    const read = ({ rawBody, headers }: SignedEvent, { secrets = [SECRET], receivedAt = now.getTime() } = {}) =>
      events.read(
        {
          rawBody,
          header: (name) => headers[name.toLowerCase()],
          url: URL,
          receivedAt,
          credentials: async () => credentials('one'),
        },
        secrets,
      );

    test('a signed event names its charge and the captured amount', async () => {
      const { intentId, ...event } = await anEvent();
      expect(await read(event)).toMatchObject({
        id: expect.stringMatching(/^\S{1,200}$/),
        type: 'payment_intent.succeeded',
        intentId,
        amountCents: AMOUNT,
        currency: 'usd',
        capturedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
      });
    });

    test('the event of a gift names the gift', async () => {
      delete reference['invoice_id'];
      reference['donation_id'] = randomUUID();
      expect((await read(await anEvent())).reference).toEqual(reference);
    });

    test('the event of a pledge names all five ids', async () => {
      delete reference['invoice_id'];
      Object.assign(reference, { donation_id: randomUUID(), pledge_id: randomUUID() });
      expect((await read(await anEvent())).reference).toEqual(reference);
    });

    test('an event has the same id however often it is read', async () => {
      const event = await anEvent();
      expect((await read(event)).id).toBe((await read(event)).id);
    });

    test('an event with the secret before the last rotation is accepted', async () => {
      expect(await read(await anEvent(), { secrets: ['whsec_the_next_one', SECRET] })).toMatchObject({
        amountCents: AMOUNT,
      });
    });

    test('an event with another secret, or without a signature, is refused', async () => {
      const event = await anEvent();
      await expect(read(event, { secrets: ['whsec_of_another_one'] })).rejects.toBeInstanceOf(EventRefused);
      await expect(read(event, { secrets: [] })).rejects.toBeInstanceOf(EventRefused);
    });

    test('an event with another body is refused', async () => {
      const { rawBody, headers } = await anEvent();
      const other = Buffer.from(rawBody.toString('utf8').replace(/\d/, (digit) => String((Number(digit) + 1) % 10)));
      await expect(read({ rawBody: other, headers })).rejects.toBeInstanceOf(EventRefused);
    });

    test.each([{}, { 'stripe-signature': 'nonsense' }])(
      'an event with signatures like %j is refused',
      async (headers) => {
        const { rawBody } = await anEvent();
        await expect(read({ rawBody, headers })).rejects.toBeInstanceOf(EventRefused);
      },
    );

    test('a body that is no event is refused', async () => {
      const { headers } = await anEvent();
      for (const body of ['', '{', 'null', '[]', '"text"'])
        await expect(read({ rawBody: Buffer.from(body), headers })).rejects.toBeInstanceOf(EventRefused);
    });
  });
}
