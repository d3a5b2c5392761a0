/** What every port to a card processor does, whichever provider is behind it: written once, run for each with its stand-in. */
import { randomUUID } from 'node:crypto';
import { heldByDisputes } from '../../../activities/finances/readMovements.js';
import type { EventReader } from '../../../gateways/payments/events.js';
import {
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
import { opened } from './opened.js';

/** A request of which an answer gets lost, in our words. */
export type LostStep = 'open' | 'confirm' | 'cancel' | 'refund' | 'page';

/** An event as the provider would send it. */
export interface SignedEvent {
  rawBody: Buffer;
  headers: Record<string, string>;
}

/** Money that truly moved at the stand-in. */
export interface Moved {
  kind: 'capture' | 'refund';
  amount_cents: number;
}

/** A provider, and what is to be known of its stand-in for these tests. */
export interface ProviderUnderTest {
  provider: string;
  /**
   * unlisted: none is found, and one that nobody heard of takes nothing and is opened again. endless: that too, under no key, so that there
   * are two then; and none can be closed, but takes nothing that nobody looks for.
   */
  pages?: 'unlisted' | 'endless';
  /** Starts a fresh stand-in and points the adapter at it. */
  start: () => Promise<StandinUnderTest>;
  /** Credentials that open an account of their own for each name. */
  credentials: (account: string) => Credentials;
  /** Tokens of cards. */
  cards: { good: string; declined: string; pendingRefund: string };
}

export interface StandinUnderTest {
  close(): Promise<unknown>;
  /** Requests of this kind get no answer until it recovers: they were carried out, or never came to it. */
  lose(step: LostStep, when: 'before' | 'after'): Promise<unknown>;
  recover(): Promise<unknown>;
  revoke(credentials: Credentials): Promise<unknown>;
  concludeRefund(gatewayRefundId: string, status: 'succeeded' | 'failed'): Promise<unknown>;
  payOnPage(url: string, card: string): Promise<unknown>;
  moved(): Promise<Moved[]>;
  /** That this charge took money, signed at that moment for that address. */
  event(of: {
    intentId: string;
    amountCents: number;
    reference: ChargeReference;
    secret: string;
    url: string;
    at: Date;
  }): Promise<SignedEvent>;
  disputes: {
    /** The payer's bank wants so much of a charge back. @returns the provider's id of the dispute */
    open(of: { intentId: string; amountCents: number }): Promise<string>;
    decide(dispute: string, decision: 'won' | 'lost'): Promise<unknown>;
    /** That something has become of it, signed at that moment for that address. */
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
  /** Some say at once that the money was taken, others when they are asked again. */
  const settled = async (state: ChargeState): Promise<ChargeState> => {
    let now = state;
    for (let looks = 0; now.status === 'processing' && looks < 100; looks += 1) {
      await new Promise((resolve) => setTimeout(resolve, 20));
      now = await port.readCharge(state.intentId);
    }
    return now;
  };
  const captured = async (paymentMethod = cards.good): Promise<string> => {
    const intentId = await open({ paymentMethod });
    expect(await settled(await confirm(intentId, paymentMethod))).toMatchObject({ status: 'captured' });
    return intentId;
  };
  /** Opens and confirms: a card is refused with one or the other. */
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
  /** Asks until there is an answer, as a process does. */
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
    test('the same credentials tell the same account, those of another its own', async () => {
      const one = await port.readAccount();
      expect(one.accountId).toMatch(/^\S{3,200}$/);
      expect(await at('one').readAccount()).toEqual(one);
      expect((await at('two').readAccount()).accountId).not.toBe(one.accountId);
    });

    test('the adapter tells it without its library, as the port does', async () => {
      expect(await adapter.readAccount(credentials('one'))).toEqual(await port.readAccount());
    });

    test('revoked credentials are refused, which says nothing about a charge', async () => {
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
    test('it is opened, and nothing is taken', async () => {
      const intentId = await open();
      expect(await port.readCharge(intentId)).toEqual({ status: 'waiting', intentId });
      expect(await standin.moved()).toEqual([]);
    });

    test('it is confirmed, and the whole amount is taken once', async () => {
      const intentId = await open();
      expect(await settled(await confirm(intentId))).toEqual({ status: 'captured', intentId, capturedCents: AMOUNT });
      expect(await sumOf('capture')).toBe(AMOUNT);
    });

    test('confirmed again, under the same key and another, it takes nothing more', async () => {
      const intentId = await captured();
      for (const key of [`confirm:${reference['attempt_id']}:0`, `confirm:${reference['attempt_id']}:1`])
        await confirm(intentId, cards.good, key).catch(() => null);
      expect(await port.readCharge(intentId)).toMatchObject({ status: 'captured', capturedCents: AMOUNT });
      expect(await sumOf('capture')).toBe(AMOUNT);
    });

    test('ten confirmations at once take the money once', async () => {
      const intentId = await open();
      await Promise.all(Array.from({ length: 10 }, () => confirm(intentId).catch(() => null)));
      expect(await settled(await port.readCharge(intentId))).toMatchObject({
        status: 'captured',
        capturedCents: AMOUNT,
      });
      expect(await sumOf('capture')).toBe(AMOUNT);
    });

    test('a refused card takes nothing, and says why', async () => {
      expect(await charge(cards.declined)).toMatchObject({
        status: 'declined',
        failureCode: expect.stringMatching(/^[\w.-]{3,100}$/),
        failureMessage: expect.stringMatching(/\S/),
      });
      expect(await standin.moved()).toEqual([]);
    });

    test('the same key opens the same charge again', async () => {
      expect(await open()).toBe(await open());
    });

    test('a key of ours that is longer than any provider takes opens a charge all the same', async () => {
      expect(await open({ idempotencyKey: `open:${reference['attempt_id']}:1234567890` })).toMatch(/^\S{3,200}$/);
    });

    test('cancelled, it can never take anything', async () => {
      const intentId = await open();
      expect(await port.cancelCharge(intentId)).toMatchObject({ status: 'cancelled', intentId });
      expect(await port.cancelCharge(intentId)).toMatchObject({ status: 'cancelled', intentId });
      await confirm(intentId).catch(() => null);
      expect(await port.readCharge(intentId)).toEqual({ status: 'cancelled', intentId });
      expect(await standin.moved()).toEqual([]);
    });

    test('a cancellation that comes too late says that the money was taken', async () => {
      const intentId = await captured();
      expect(await settled(await port.cancelCharge(intentId))).toMatchObject({
        status: 'captured',
        capturedCents: AMOUNT,
      });
    });

    test('one that the account does not know is refused, and no outcome', async () => {
      await expect(port.readCharge(await idOfAnother())).rejects.toBeInstanceOf(ChargeRefused);
      await expect(port.readRefunds(await idOfAnother())).rejects.toBeInstanceOf(ChargeRefused);
    });
  });

  const idOfAnother = () => opened(at('two'), anOpening({ idempotencyKey: `open:${randomUUID()}` }));

  describe(`${provider}: answers that get lost`, () => {
    test.each(['before', 'after'] as const)(
      'of an opening, %s it was carried out: asked again, there is one charge',
      async (when) => {
        await lost('open', when, () => port.openCharge(anOpening()));
        const intentId = await insisting(() => open({ askedAt: new Date() }));
        expect(await settled(await confirm(intentId))).toMatchObject({ status: 'captured', capturedCents: AMOUNT });
        expect(await sumOf('capture')).toBe(AMOUNT);
      },
    );

    test.each(['before', 'after'] as const)(
      'of an opening, %s it was carried out: closed, nothing is held by it',
      async (when) => {
        await lost('open', when, () => port.openCharge(anOpening()));
        const state = await insisting(() => port.closeOpening(anOpening({ askedAt: new Date() })));
        expect([null, 'cancelled', 'declined']).toContain(state && state.status);
        expect(await standin.moved()).toEqual([]);
      },
    );

    test('an opening that never was is closed all the same', async () => {
      const state = await insisting(() => port.closeOpening(anOpening({ askedAt: new Date() })));
      expect([null, 'cancelled']).toContain(state && state.status);
    });

    test.each(['before', 'after'] as const)(
      'of a confirmation, %s it was carried out: it is looked up, and taken once',
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

    test('of a cancellation: asked again, it is cancelled', async () => {
      const intentId = await open();
      await lost('cancel', 'after', () => port.cancelCharge(intentId));
      expect(await port.cancelCharge(intentId)).toMatchObject({ status: 'cancelled' });
    });

    test.each(['before', 'after'] as const)(
      'of a refund, %s it was carried out: it goes back once under its key',
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
    test('of a charge of which nothing went back there is none', async () => {
      expect(await port.readRefunds(await captured())).toEqual([]);
    });

    test('it is found by the id that it was marked with, and given once under its key', async () => {
      const refund = aRefund(await captured());
      const first = await port.refundCharge(refund);
      expect((await port.refundCharge(refund)).gatewayRefundId).toBe(first.gatewayRefundId);
      expect(await port.readRefunds(refund.intentId)).toMatchObject([
        { gatewayRefundId: first.gatewayRefundId, amountCents: AMOUNT, refundId: refund.refundId },
      ]);
    });

    test('parts go back one after the other, and never more than was taken', async () => {
      const intentId = await captured();
      await port.refundCharge(aRefund(intentId, { amountCents: 2_000 }));
      await port.refundCharge(aRefund(intentId, { amountCents: 3_000 }));
      await expect(port.refundCharge(aRefund(intentId, { amountCents: 1 }))).rejects.toBeInstanceOf(ChargeRefused);
      const made = await port.readRefunds(intentId);
      expect(made.map(({ amountCents }) => amountCents).toSorted((a, b) => a - b)).toEqual([2_000, 3_000]);
    });

    test('more than was taken is refused, and nothing goes back', async () => {
      const intentId = await captured();
      await expect(port.refundCharge(aRefund(intentId, { amountCents: AMOUNT + 1 }))).rejects.toBeInstanceOf(
        ChargeRefused,
      );
      expect(await port.readRefunds(intentId)).toEqual([]);
    });

    test('two at once that together exceed the charge give back one', async () => {
      const intentId = await captured();
      const asked = [1, 2].map(() => port.refundCharge(aRefund(intentId, { amountCents: 3_000 })));
      const answers = await Promise.allSettled(asked);
      expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
      expect(await port.readRefunds(intentId)).toHaveLength(1);
    });

    test('one that a bank takes days for is pending, arrives, and may fail after all', async () => {
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

    test('of a charge that was never taken is refused', async () => {
      const intentId = await open();
      await expect(port.refundCharge(aRefund(intentId))).rejects.toBeInstanceOf(ChargeRefused);
    });
  });

  describe(`${provider}: a page`, () => {
    const aPage = (more: { idempotencyKey?: string } = {}) => ({
      amountCents: AMOUNT,
      currency: 'usd',
      description: 'Dues & <more>',
      reference,
      idempotencyKey: `hosted:${reference['attempt_id']}:1`,
      returnUrl: 'https://app.example.org/billing/invoices/1',
      ...more,
    });
    const whole = () => ({ from: new Date(Date.now() - 600_000), to: new Date(Date.now() + 600_000) });

    test('it opens, and can be paid', async () => {
      const page = await port.openHostedPayment(aPage());
      expect(page).toMatchObject({ url: expect.stringMatching(/^https?:/), expiresAt: expect.any(Date) });
      expect(page.expiresAt.getTime()).toBeGreaterThan(Date.now());
      expect(await port.readHostedPayment(page.sessionId)).toEqual({ status: 'open' });
    });

    test('paid on, it says by which charge and how much', async () => {
      const { sessionId, url } = await port.openHostedPayment(aPage());
      await standin.payOnPage(url ?? '', cards.good);
      const state = await port.readHostedPayment(sessionId);
      expect(state).toMatchObject({ status: 'paid', capturedCents: AMOUNT, currency: 'usd' });
      expect(await sumOf('capture')).toBe(AMOUNT);
    });

    test('what was paid on it is refunded like any charge', async () => {
      const { sessionId, url } = await port.openHostedPayment(aPage());
      await standin.payOnPage(url ?? '', cards.good);
      const state = await port.readHostedPayment(sessionId);
      const intentId = state.status === 'paid' ? state.intentId : '';
      expect(await port.readCharge(intentId)).toMatchObject({ status: 'captured', capturedCents: AMOUNT });
      await port.refundCharge(aRefund(intentId));
      expect(await port.readRefunds(intentId)).toMatchObject([{ amountCents: AMOUNT }]);
    });

    test('paid twice at once, it takes the money once', async () => {
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

    test('closed too late, it says that it was paid', async () => {
      const { sessionId, url } = await port.openHostedPayment(aPage());
      await standin.payOnPage(url ?? '', cards.good);
      expect(await port.expireHostedPayment(sessionId)).toMatchObject({ status: 'paid', capturedCents: AMOUNT });
    });

    if (pages === 'unlisted')
      test('one whose opening got no answer is opened again under any key, and taken into account by nobody else', async () => {
        await lost('page', 'after', () => port.openHostedPayment(aPage()));
        expect(await port.findHostedPayments(reference, whole())).toEqual([]);
        const again = await Promise.all(
          ['1', '2'].map((key) => port.openHostedPayment(aPage({ idempotencyKey: key }))),
        );
        expect(new Set(again.map(({ sessionId }) => sessionId)).size).toBe(1);
        expect(await standin.moved()).toEqual([]);
      });
    const whereListed = pages ? () => {} : test;
    whereListed('one whose opening got no answer is found by its reference, and another attempt is not', async () => {
      await lost('page', 'after', () => port.openHostedPayment(aPage()));
      const found = await port.findHostedPayments(reference, whole());
      expect(found).toHaveLength(1);
      expect(await port.readHostedPayment(found[0]?.sessionId ?? '')).toEqual({ status: 'open' });
      expect(await port.findHostedPayments({ ...reference, attempt_id: randomUUID() }, whole())).toEqual([]);
    });

    whereClosable('the same key opens the same page', async () => {
      const { sessionId } = await port.openHostedPayment(aPage());
      expect((await port.openHostedPayment(aPage())).sessionId).toBe(sessionId);
    });
  });

  describe(`${provider}: a dispute`, () => {
    const read = (intentId: string, dispute: string | null = null) => port.readDisputes(intentId, dispute);
    const bank = () => standin.disputes;

    test('of a charge that nobody disputes there is none', async () => {
      expect(await read(await captured())).toEqual([]);
    });

    test('it holds what it is about until it is won, holds it again when it is lost after all, and names what its charge is for', async () => {
      const intentId = await captured();
      const dispute = await bank().open({ intentId, amountCents: 1_200 });
      const told = { gatewayDisputeId: dispute, amountCents: 1_200, currency: 'usd', reference };
      const [opened, ...more] = await read(intentId);
      expect([opened, more]).toMatchObject([{ ...told, decision: 'none', reason: expect.stringMatching(/^\w+$/) }, []]);
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
        expect([now, heldByDisputes(now)]).toMatchObject([[{ ...told, decision, evidenceDueAt: null }], held]);
      }
    });

    test('it is told by its own id as among all of its charge, and of no other charge', async () => {
      const intentId = await captured();
      const dispute = await bank().open({ intentId, amountCents: AMOUNT });
      expect(await read(intentId, dispute)).toEqual(await read(intentId));
      reference = { ...reference, attempt_id: randomUUID() };
      const other = await captured();
      expect(await read(other)).toEqual([]);
      expect(await read(other, dispute).catch(() => [])).toEqual([]);
    });

    test('an event of it says which charge it is of', async () => {
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

  describe(`${provider}: what moved`, () => {
    /** Up to now: nobody lists what is still to come. */
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

    test('charges and what went back of them are told once each, with what they are of; what was only held is not', async () => {
      await open();
      const intentId = await captured();
      const { gatewayRefundId } = await port.refundCharge(aRefund(intentId, { amountCents: 400 }));
      await insisting(async () => {
        if ((await port.readRefunds(intentId)).some(({ status }) => status !== 'refunded'))
          throw new OutcomeUnknown('not yet');
      });
      const told = (await all()).filter(({ amountCents }) => amountCents !== 0);
      expect(told).toHaveLength(2);
      expect(told).toEqual(
        expect.arrayContaining([
          expect.objectContaining({ kind: 'captured', amountCents: AMOUNT, currency: 'usd', intentId }),
          expect.objectContaining({ kind: 'refunded', amountCents: -400, currency: 'usd', intentId, gatewayRefundId }),
        ]),
      );
      expect(told.find(({ kind }) => kind === 'captured')?.reference).toMatchObject(reference);
      expect(new Set((await all()).map(({ movementId }) => movementId)).size).toBe((await all()).length);
      for (const { at } of told) expect(Math.abs(at.getTime() - Date.now())).toBeLessThan(3_600_000);
      expect(await all({ from: new Date('2020-01-01'), to: new Date('2020-01-04') })).toEqual([]);
    });

    test('a refund that comes again comes to nothing', async () => {
      const intentId = await captured(cards.pendingRefund);
      const { gatewayRefundId } = await port.refundCharge(aRefund(intentId));
      await standin.concludeRefund(gatewayRefundId, 'failed');
      const gone = (await all()).filter(({ kind }) => kind !== 'captured');
      expect(gone.reduce((cents, { amountCents }) => cents + amountCents, 0)).toBe(0);
    });

    test('what a dispute took and gave back is told, with its charge', async () => {
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

    test('of revoked credentials nothing is told', async () => {
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

    test('one that is signed says which charge took how much', async () => {
      const { intentId, ...event } = await anEvent();
      expect(await read(event)).toMatchObject({
        id: expect.stringMatching(/^\S{1,200}$/),
        type: 'payment_intent.succeeded',
        intentId,
        amountCents: AMOUNT,
        currency: 'usd',
      });
    });

    test('the same event has the same id, however often it is read', async () => {
      const event = await anEvent();
      expect((await read(event)).id).toBe((await read(event)).id);
    });

    test('the secret before the last rotation is good too', async () => {
      expect(await read(await anEvent(), { secrets: ['whsec_the_next_one', SECRET] })).toMatchObject({
        amountCents: AMOUNT,
      });
    });

    test('with another secret, or none, it is refused', async () => {
      const event = await anEvent();
      await expect(read(event, { secrets: ['whsec_of_another_one'] })).rejects.toBeInstanceOf(EventRefused);
      await expect(read(event, { secrets: [] })).rejects.toBeInstanceOf(EventRefused);
    });

    test('with another body it is refused', async () => {
      const { rawBody, headers } = await anEvent();
      const other = Buffer.from(rawBody.toString('utf8').replace(/\d/, (digit) => String((Number(digit) + 1) % 10)));
      await expect(read({ rawBody: other, headers })).rejects.toBeInstanceOf(EventRefused);
    });

    test.each([{}, { 'stripe-signature': 'nonsense' }])('with signatures like %j it is refused', async (headers) => {
      const { rawBody } = await anEvent();
      await expect(read({ rawBody, headers })).rejects.toBeInstanceOf(EventRefused);
    });

    test('a body that is no event is refused', async () => {
      const { headers } = await anEvent();
      for (const body of ['', '{', 'null', '[]', '"text"'])
        await expect(read({ rawBody: Buffer.from(body), headers })).rejects.toBeInstanceOf(EventRefused);
    });
  });
}
