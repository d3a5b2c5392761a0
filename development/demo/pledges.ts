/**
 * Chapters about a pledge, for the demo of giving: its second gift is charged by its process, and a cancellation while the
 * third is being charged returns the money.
 */
import { Client } from 'pg';
import { config } from '../../config.js';
import { inTenant } from '../../models/database/tenancy.js';
import { wakePledge } from '../../models/foundation/pledges/lockPledge.js';
import { type DemoClient, DemoFailed, expectStatus, type Page, type Row } from './client.js';
import { until } from './exportAndProve.js';
import type { DemoFacts } from './facts.js';
import type { DemoGateway } from './gateway.js';
import { readMail } from './mails.js';
import { money, screen } from './screen.js';
import { workflowUrl } from './workflowUrl.js';

/** A pledge of the demo, with the address of its donor. */
export interface DemoPledge {
  id: string;
  donor: string;
  email: string;
}

/** A gift, as its donor reads it. */
interface Receipted {
  receipt: { number: string };
}

interface Cancellation {
  cancelled_at: string | null;
  cancelled_by: string | null;
  last_charged_at: string | null;
  charge_in_flight: boolean;
  refunded_at: string | null;
}

/**
 * Lets the second period of a pledge come due, whose gift its process charges.
 * @throws DemoFailed
 */
export async function showPeriod(facts: DemoFacts, admin: DemoClient, pledge: DemoPledge): Promise<void> {
  screen.chapter('8. A month later, the kept card is charged without the donor');
  await moveBackAMonth(facts, pledge);
  screen.step('the demo moves the days of the pledge a month back, so that its next gift is due');
  const { results } = await until(
    () => admin.get<Page>(`/api/foundation/donations/?donor=${pledge.donor}&status=completed`),
    ({ results: gifts }) => gifts.some(({ period }) => period === 1),
  );
  const gift = results.find(({ period }) => period === 1);
  const { receipt } = await admin.get<Receipted>(`/api/foundation/public/donations/${String(gift?.id)}/`);
  screen.done(`The process charges ${money(Number(gift?.['amount_cents']))}: a gift with receipt ${receipt.number}.`);
  showCharge(facts, pledge, 1);
}

/**
 * Cancels a pledge while the provider holds the answer to a charge. The charge succeeds, and its money is returned.
 * @param gateway null for a real gateway, which cannot be told to hold an answer
 * @throws DemoFailed
 */
export async function showCancellation(
  facts: DemoFacts,
  admin: DemoClient,
  gateway: DemoGateway | null,
  pledge: DemoPledge,
): Promise<void> {
  screen.chapter('9. A pledge is cancelled while its card is charged');
  if (!gateway) return screen.note('Skipped: a real gateway cannot be told to hold a charge.');
  const subject = { pledge_id: pledge.id };
  await gateway.injectFault('hold', subject);
  try {
    await moveBackAMonth(facts, pledge);
    screen.step('another month later; the provider holds the charge');
    await gateway.waitUntilHeld();
    const reason = { reason: 'The donor asked for it.' };
    const cancelled = await expectStatus(admin.post(`/api/foundation/pledges/${pledge.id}/cancel/`, reason));
    if (cancelled['charge_in_flight'] !== true) throw new DemoFailed('The charge was not in flight any more.');
    screen.done('It is cancelled, and the answer says that a charge is in flight.');
  } finally {
    await gateway.release(subject);
  }
  const proof = await until(
    () => admin.get<Cancellation>(`/api/foundation/pledges/${pledge.id}/cancellation/`),
    ({ refunded_at }) => refunded_at !== null,
  );
  if (proof.charge_in_flight) throw new DemoFailed('A charge is still in flight.');
  screen.done('The provider charges the card after all, and the money returns by itself.');
  screen.note(`GET …/cancellation/: ${JSON.stringify(proof)}`);
  if (facts.mail_url) {
    const { subject: title } = await readMail(facts, pledge.email, (mail) => mail.subject.startsWith('We return'));
    screen.done(`${pledge.email} is told: “${title}”`);
  }
  showCharge(facts, pledge, 2);
}

const showCharge = (facts: DemoFacts, { id }: DemoPledge, period: number): void =>
  screen.note(`its workflow: ${workflowUrl(facts, `pledge-charge/${id}/${period}`)}`);

/**
 * Moves all days of a pledge into the past, so that its next period was due yesterday, and wakes its process. No endpoint
 * can do this, so it is done as the owner of the database.
 */
async function moveBackAMonth(facts: DemoFacts, { id }: DemoPledge): Promise<void> {
  const owner = new Client({ connectionString: facts.database.owner_url ?? config.DATABASE_OWNER_URL });
  await owner.connect();
  try {
    const [moved] = await until(
      async () => (await owner.query<Row>(MOVE, [id])).rows,
      (rows) => rows.length === 1,
    );
    await inTenant(String(moved?.['organization_id']), () => wakePledge(id));
  } finally {
    await owner.end();
  }
}

/** Moves no row before the provider's token of the card has arrived: without a card, the pledge would be cancelled. */
const MOVE = `
  WITH moved AS (
    SELECT g.id, f.timezone, (app.local_day(f.timezone) - 1 - make_interval(months => g.next_period))::date AS anchor
      FROM recurring_pledges g JOIN foundation_configs f ON f.organization_id = g.organization_id
     WHERE g.id = $1 AND g.card_encrypted IS NOT NULL),
  earlier AS (
    UPDATE pledge_periods p SET due_at = app.pledge_due_at(m.timezone, m.id, app.pledge_due_on(m.anchor, 'monthly', p.n))
      FROM moved m WHERE p.pledge_id = m.id)
  UPDATE recurring_pledges g
     SET anchor_on = m.anchor,
         next_due_at = app.pledge_due_at(m.timezone, m.id, app.pledge_due_on(m.anchor, 'monthly', g.next_period))
    FROM moved m WHERE g.id = m.id RETURNING g.id, g.organization_id`;
