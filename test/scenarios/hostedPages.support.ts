/** Hosted pages of the gateway: invoices, pages and their payers; shared by the test files about hosted pages. */
import { processId } from '../../api/processes/id.js';
import { temporal } from '../../gateways/temporal/client.js';
import { encrypt } from '../../models/database/encryption.js';
import { inTenant } from '../../models/database/tenancy.js';
import { applyCredit } from '../../models/finances/credit/applyCredit.js';
import { issueCredit } from '../../models/finances/credit/issueCredit.js';
import type { Client } from '../support/api.js';
import { asOwner } from '../support/owner.js';
import { aPlatform, aProcessor, eventually, type Platform } from '../support/platform.js';
import { accountKeyOf } from '../support/walk/outsider.js';
import { anInvoice, aWorld, type World } from '../support/world.js';

/** Filled before each test. */
export interface PageStage {
  platform: Platform;
  world: World;
  processor: string;
  member: Client;
  admin: Client;
}

export const DUE = 7_700;

/** A checkout session at the gateway. */
interface Session {
  id: string;
  status: string;
  metadata: Record<string, string>;
}

/** Starts the platform for a test file, with an organization for each test. @returns the stage and helpers */
export function payingOnPages() {
  const stage = { platform: aPlatform() } as PageStage;

  beforeEach(async () => {
    const world = await aWorld({ members: 1 });
    const processor = await aProcessor(world);
    const [member, admin] = [stage.platform.client(world.member), stage.platform.client(world.admin)];
    Object.assign(stage, { world, processor, member, admin });
  });

  const dues = (cents = DUE) =>
    anInvoice(stage.world, { chapterId: stage.world.chapterId, membershipId: stage.world.member.membershipId, cents });
  const open = (invoice: string) => stage.member.post(`/api/invoices/${invoice}/pay/`);

  /** An invoice with an open hosted page. */
  async function aPage(): Promise<{ invoice: string; attempt: string; url: string }> {
    const invoice = await dues();
    const { status, body } = await open(invoice);
    expect(status).toBe(201);
    return { invoice, attempt: body.attempt, url: body.url };
  }

  /** Pays on a page as a payer would. @returns whether the gateway redirected to the return address of a completed payment */
  async function payOn(url: string, card = 'pm_card_visa'): Promise<boolean> {
    const answer = await fetch(url, {
      method: 'POST',
      redirect: 'manual',
      body: new URLSearchParams({ payment_method: card }),
    });
    return answer.headers.get('location')?.endsWith('?payment=done') ?? false;
  }

  const seal = (column: string, secret: string) =>
    asOwner(`UPDATE org_payment_processors SET ${column} = $2 WHERE id = $1`, [
      stage.processor,
      encrypt(secret, { table: 'org_payment_processors', column, rowId: stage.processor }),
    ]);
  /** From now on every event of the gateway is refused. */
  const mistypeWebhookSecret = () => seal('webhook_secret_encrypted', 'whsec_mistyped');

  const dayPasses = (attempt: string) =>
    asOwner(
      `UPDATE payment_attempts SET created_at = created_at - interval '25 hours', checkout_asked_at = checkout_asked_at - interval '25 hours',
            checkout_expires_at = checkout_expires_at - interval '25 hours' WHERE id = $1`,
      [attempt],
    );

  const attemptOf = async (id: string) => (await asOwner('SELECT * FROM payment_attempts WHERE id = $1', [id]))[0];
  const attemptsOf = (invoice: string) =>
    asOwner('SELECT status, failure_code FROM payment_attempts WHERE invoice_id = $1 ORDER BY id', [invoice]);
  const ends = (attempt: string) =>
    eventually(
      () => attemptOf(attempt),
      (row) => row?.['status'] !== 'pending',
    );
  const invoiceOf = async (id: string) => (await asOwner('SELECT * FROM chapter_invoices WHERE id = $1', [id]))[0];
  const unexpected = (invoice: string) =>
    asOwner(`SELECT after FROM audit_log WHERE action = 'payment.unexpected' AND subject_id = $1`, [invoice]);

  /** Reads objects from the gateway itself. */
  async function atGateway<T>(path: string): Promise<T[]> {
    const headers = { Authorization: `Bearer ${accountKeyOf(stage.processor)}` };
    const answer = await fetch(`${stage.platform.gateway.url}/v1${path}?limit=100`, { headers });
    return ((await answer.json()) as { data: T[] }).data;
  }
  const sessions = () => atGateway<Session>('/checkout/sessions');
  const captures = () =>
    asOwner('SELECT amount_cents::int FROM processor_captures WHERE processor_id = $1', [stage.processor]);

  const storyOf = async (attempt: string) =>
    (await stage.admin.get(`/api/processes/${processId(`hosted-page/${attempt}`)}/`)).body;
  const finishes = (attempt: string) =>
    eventually(
      () => storyOf(attempt),
      ({ status }) => status !== 'running',
    );

  /** Waits until the process has opened its page and looked at it once; later requests are caused by the test. */
  const rests = (attempt: string) =>
    eventually(
      async () => {
        const { events } = await temporal().workflow.getHandle(`hosted-page/${attempt}`).fetchHistory();
        return events?.filter((event) => event.activityTaskCompletedEventAttributes).length ?? 0;
      },
      (steps) => steps >= 2,
    );
  const discount = (invoice: string, cents: number) =>
    asOwner(
      `INSERT INTO invoice_discounts (organization_id, invoice_id, amount_cents, reason) VALUES ($1, $2, $3, 'Hardship')`,
      [stage.world.organizationId, invoice, cents],
    );

  const credited = (invoice: string, amountCents: number) =>
    inTenant(stage.world.organizationId, async () => {
      const payer = { chapterId: stage.world.chapterId, membershipId: stage.world.member.membershipId };
      await issueCredit({ payer, amountCents, reason: 'A gift.' });
      await applyCredit(invoice);
    });

  async function remit(...invoices: string[]): Promise<void> {
    const officer = stage.platform.client(stage.world.officer);
    const { body } = await officer.post('/api/billing/remittances/', {
      chapter: stage.world.chapterId,
      allocations: invoices.map((invoice) => ({ invoice, amount_cents: DUE })),
    });
    await officer.post(`/api/billing/remittances/${body.id}/pay/`, { payment_method: 'pm_card_visa' });
    await eventually(
      () => invoiceOf(invoices[0] ?? ''),
      (row) => row?.['status'] === 'paid',
    );
  }
  return {
    stage,
    dues,
    open,
    aPage,
    payOn,
    seal,
    mistypeWebhookSecret,
    dayPasses,
    attemptOf,
    attemptsOf,
    ends,
    invoiceOf,
    unexpected,
    atGateway,
    sessions,
    captures,
    storyOf,
    finishes,
    rests,
    discount,
    credited,
    remit,
  };
}
