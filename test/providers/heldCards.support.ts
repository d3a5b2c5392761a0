/** Tests for providers that authorize a card with the first step and capture with the second; called by the test file of each provider. */
import type { Client } from '../support/api.js';
import type { Ordered } from '../support/cardStandin.js';
import { asOwner } from '../support/owner.js';
import { aPlatform, eventually, type Platform } from '../support/platform.js';
import { anInvoice, aWorld, type World } from '../support/world.js';

export interface HeldCards<Standin> {
  name: string;
  start(): Promise<Standin>;
  connect(platform: Platform, standin: Standin, world: World): Promise<string>;
  cards: { good: string; declined: string };
  /** The stand-in's name for the second step. */
  secondStep: string;
}

/** State that the tests of one provider share; filled before each test. */
export interface HeldStage<Standin> {
  platform: Platform;
  standin: Standin;
  world: World;
  admin: Client;
  processor: string;
}

/** Prepares the stage and defines the tests that all such providers share. @returns the stage and the helpers for further tests */
export function heldCards<Standin extends Ordered & { close(): Promise<unknown> }>(provider: HeldCards<Standin>) {
  const { name, cards } = provider;
  const stage = { platform: aPlatform() } as HeldStage<Standin>;
  beforeAll(async () => {
    stage.standin = await provider.start();
  });
  beforeEach(async () => {
    await stage.standin.order('POST', '/reset');
    stage.world = await aWorld({ members: 1 });
    stage.processor = await provider.connect(stage.platform, stage.standin, stage.world);
    stage.admin = stage.platform.client(stage.world.admin);
  });
  afterAll(() => stage.standin.close());

  const draft = async (cents: number) => {
    const { chapterId, member } = stage.world;
    const invoice = await anInvoice(stage.world, { chapterId, membershipId: member.membershipId, cents });
    const allocations = [{ invoice, amount_cents: cents }];
    const answer = await stage.admin.post('/api/billing/remittances/', { chapter: chapterId, allocations });
    return { invoice, answer };
  };
  const aDraft = async (cents = 5_000) => {
    const { invoice, answer } = await draft(cents);
    expect(answer.status).toBe(201);
    const path = `/api/billing/remittances/${answer.body.id}/`;
    return {
      invoice,
      pay: (payment_method = cards.good) => stage.admin.post(`${path}pay/`, { payment_method }),
      becomes: (status: string) =>
        eventually(
          async () => (await stage.admin.get(path)).body,
          (one) => one.status === status,
        ),
    };
  };
  const lose = (operation: string, when: 'before' | 'after', times = 1) =>
    stage.standin.order('POST', '/faults', { kind: `drop_${when}_capture`, operation, times });
  const balanceOf = async (invoice: string) =>
    (await stage.admin.get(`/api/invoices/${invoice}/`)).body.balance_due_cents;
  const untilPaid = (invoice: string, seconds?: number) =>
    eventually(
      () => balanceOf(invoice),
      (due) => due === 0,
      seconds,
    );
  const handled = () =>
    eventually(
      () =>
        asOwner('SELECT id FROM webhook_events WHERE organization_id = $1 AND outcome IS NULL', [
          stage.world.organizationId,
        ]),
      (waiting) => waiting.length === 0,
    );
  const openPage = (invoice: string) =>
    stage.platform.client(stage.world.member).post(`/api/invoices/${invoice}/pay/`, {});
  const untilRefunded = (refund: string) =>
    eventually(
      async () => (await stage.admin.get(`/api/refunds/${refund}/`)).body,
      ({ status }) => status === 'succeeded',
      60,
    );

  test('a remittance is authorized and captured once, and its own events change nothing more', async () => {
    const { invoice, pay } = await aDraft();
    expect(await pay()).toMatchObject({ status: 200, body: { status: 'settled' } });
    await handled();
    expect(await stage.standin.moved()).toEqual({ captured: 5_000, refunded: 0 });
    expect(await balanceOf(invoice)).toBe(0);
  });

  const chargesOnce = async (operation: string, when: 'before' | 'after') => {
    const { pay, becomes } = await aDraft();
    await lose(operation, when, 2);
    await pay();
    await becomes('settled');
    expect(await stage.standin.moved()).toEqual({ captured: 5_000, refunded: 0 });
  };

  test.each(['before', 'after'] as const)(
    'an answer of the first step that is lost %s it was carried out leads to one charge',
    (when) => chargesOnce('create', when),
  );

  test.each(['before', 'after'] as const)(
    'an answer of the second step that is lost %s it was carried out is looked up and leads to one charge',
    (when) => chargesOnce(provider.secondStep, when),
  );

  test('a refused card leaves a draft without an authorization, and another card pays it', async () => {
    const { pay } = await aDraft();
    expect(await pay(cards.declined)).toMatchObject({
      status: 400,
      body: { errors: { payment_method: [expect.any(String)] } },
    });
    expect(await stage.standin.moved()).toEqual({ captured: 0, refunded: 0 });
    expect(await pay()).toMatchObject({ status: 200, body: { status: 'settled' } });
  });

  test('a token of another provider is refused before any request is sent', async () => {
    const { pay } = await aDraft();
    expect(await pay('pm_card_visa')).toMatchObject({
      status: 400,
      body: { errors: { payment_method: [expect.any(String)] } },
    });
    expect(
      await asOwner('SELECT id FROM payment_attempts WHERE organization_id = $1', [stage.world.organizationId]),
    ).toEqual([]);
  });

  test(`a refund whose answer is lost is made once, and confirmed when ${name} has done it`, async () => {
    const { invoice, pay } = await aDraft();
    await pay();
    await lose('refund', 'after', 2);
    const refund = { reason: 'The event was cancelled' };
    const { status, body } = await stage.admin.post(`/api/invoices/${invoice}/refund/`, refund);
    expect(status).toBe(201);
    await untilRefunded(body.refunds[0].id);
    await handled();
    expect(await stage.standin.moved()).toEqual({ captured: 5_000, refunded: 5_000 });
    expect(await balanceOf(invoice)).toBe(5_000);
  });

  test(`a dispute at ${name} reverses the payment, a won dispute restores it, and a won dispute can be lost`, async () => {
    const { invoice, pay } = await aDraft();
    const charge = (await pay()).body.processor_payment_id;
    const bank = (order: object) => stage.standin.order('POST', '/disputes', order) as Promise<{ id: string }>;
    const disputes = `/api/organizations/${stage.world.organizationId}/disputes/`;
    const becomes = (expected: object) =>
      eventually(
        async () => (await stage.admin.get(disputes)).body.results,
        ([one]) => Object.entries(expected).every(([key, value]) => one?.[key] === value),
        60,
      );
    const { id: dispute } = await bank({ kind: 'dispute_open', charge });
    const [opened] = await becomes({ status: 'open', withdrawn_cents: 5_000 });
    expect(opened).toMatchObject({
      gateway_dispute_id: dispute,
      invoices: [invoice],
      evidence_due_at: expect.any(String),
      unallocated_cents: 0,
    });
    expect(await balanceOf(invoice)).toBe(5_000);
    await bank({ kind: 'dispute_won', dispute });
    await becomes({ status: 'won', reinstated_cents: 5_000 });
    expect(await balanceOf(invoice)).toBe(0);
    await bank({ kind: 'dispute_lost', dispute });
    await becomes({ status: 'lost', withdrawn_cents: 10_000, evidence_due_at: null });
    expect(await balanceOf(invoice)).toBe(5_000);
    await handled();
    expect(await stage.standin.moved()).toEqual({ captured: 5_000, refunded: 0 });
  });

  return { stage, draft, aDraft, lose, balanceOf, untilPaid, handled, openPage, untilRefunded };
}
