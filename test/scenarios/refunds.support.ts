/** Refunds of charges at the gateway: organizations, paid invoices, and requests; shared by the test files about refunds. */
import { setTimeout as sleep } from 'node:timers/promises';
import StripeSdk from 'stripe';
import { config } from '../../config.js';
import { stripeAddress } from '../../gateways/payments/stripe.js';
import type { Client } from '../support/api.js';
import { expectSoundLedger } from '../support/ledger.js';
import { asOwner } from '../support/owner.js';
import { aPlatform, aProcessor, eventually, type Platform } from '../support/platform.js';
import { accountKeyOf } from '../support/walk/outsider.js';
import { aMember, anInvoice, aWorld, type Person, type World } from '../support/world.js';

/** Filled before each test. */
export interface RefundStage {
  platform: Platform;
  world: World;
  /** Another member. */
  other: Person;
  admin: Client;
  officer: Client;
  stripe: StripeSdk;
}

/** Starts the platform for a test file, with an organization for each test. @returns the stage and helpers */
export function refunding() {
  const stage = { platform: aPlatform() } as RefundStage;

  beforeEach(async () => {
    const world = await aWorld({ members: 1 });
    const processor = await aProcessor(world);
    const { platform } = stage;
    await platform.hear(processor, accountKeyOf(processor), ['charge.refunded', 'refund.failed']);
    const address = stripeAddress(platform.gateway.url);
    Object.assign(stage, {
      world,
      other: await aMember(world.organizationId, world.chapterId),
      admin: platform.client(world.admin),
      officer: platform.client(world.officer),
      stripe: new StripeSdk(accountKeyOf(processor), { ...address, maxNetworkRetries: 0, telemetry: false }),
    });
  });
  const patience = config.PAY_WAIT_SECONDS;
  /** Shortens the wait: the outcome is not known soon. */
  const impatient = () => Object.assign(config, { PAY_WAIT_SECONDS: 1 });
  afterEach(async () => {
    Object.assign(config, { PAY_WAIT_SECONDS: patience });
    await stage.platform.clearFaults();
    await eventually(
      () =>
        asOwner('SELECT id FROM webhook_events WHERE organization_id = $1 AND outcome IS NULL', [
          stage.world.organizationId,
        ]),
      (waiting) => waiting.length === 0,
      // Events that collided are applied again after growing pauses.
      60,
    );
    await expectSoundLedger();
  });

  /** Invoices that one charge has paid; several are paid by a remittance. @returns their ids, and the charge */
  async function paid(cents: number[], paymentMethod = 'pm_card_visa', members = [stage.world.member, stage.other]) {
    const invoices = await Promise.all(
      cents.map((each, n) =>
        anInvoice(stage.world, {
          chapterId: stage.world.chapterId,
          membershipId: (members[n % members.length] as Person).membershipId,
          cents: each,
        }),
      ),
    );
    const allocations = invoices.map((invoice, n) => ({ invoice, amount_cents: cents[n] as number }));
    const draft = await stage.admin.post('/api/billing/remittances/', { chapter: stage.world.chapterId, allocations });
    const settled = await stage.admin.post(`/api/billing/remittances/${draft.body.id}/pay/`, {
      payment_method: paymentMethod,
    });
    expect([settled.status, settled.body]).toMatchObject([200, { status: 'settled' }]);
    return { invoices, intent: settled.body.processor_payment_id as string };
  }

  const back = (invoice: string | undefined, body: object = {}, as = stage.admin) =>
    as.post(`/api/invoices/${invoice}/refund/`, { reason: 'The event was cancelled', ...body });
  /** Repeats the request after Retry-After, as a client does. */
  async function backWhenThereIsRoom(...given: Parameters<typeof back>): ReturnType<typeof back> {
    const answer = await back(...given);
    if (answer.status !== 503) return answer;
    await sleep(Number(answer.headers.get('retry-after')) * 1000);
    return backWhenThereIsRoom(...given);
  }
  const read = async (invoice: string | undefined) => (await stage.admin.get(`/api/invoices/${invoice}/`)).body;
  const atGateway = async (intent: string) =>
    (await stage.stripe.refunds.list({ payment_intent: intent, limit: 100 })).data;
  const becomes = (refund: string, status: string) =>
    eventually(
      async () => (await stage.admin.get(`/api/refunds/${refund}/`)).body,
      (one) => one.status === status,
      60,
    );
  const credit = (rest = '', member: string | null = stage.world.member.membershipId) =>
    `/api/hq/dues/${stage.world.organizationId}/chapters/${stage.world.chapterId}/credit/${rest}${member ? `?member=${member}` : ''}`;
  const creditBack = (body: object = {}, rest = 'refund/') =>
    stage.admin.post(credit(rest), { reason: 'She has left', ...body });
  /** Invoices that were paid by a charge each, and voided: their money is credit. */
  async function becameCredit(cents: number[], paymentMethod?: string): Promise<string[]> {
    const intents: string[] = [];
    for (const each of cents) {
      const { invoices, intent } = await paid([each], paymentMethod);
      expect((await stage.admin.post(`/api/invoices/${invoices[0]}/void/`, { reason: 'A mistake' })).status).toBe(200);
      intents.push(intent);
    }
    return intents;
  }

  return {
    stage,
    impatient,
    paid,
    back,
    backWhenThereIsRoom,
    read,
    atGateway,
    becomes,
    credit,
    creditBack,
    becameCredit,
  };
}
