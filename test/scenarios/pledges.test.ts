/** The processes of pledges: periods are charged, declined, withdrawn and returned, and donors are told by mail. */
import StripeSdk from 'stripe';
import { stopMailServer, startMailServer } from '../support/accountMail.js';
import type { Catcher } from '../../development/standins/mail/catcher.js';
import { processId } from '../../api/processes/id.js';
import { stripeAddress } from '../../gateways/payments/stripe.js';
import { temporal } from '../../gateways/temporal/client.js';
import { inTenant } from '../../models/database/tenancy.js';
import { wakePledge } from '../../models/foundation/pledges/lockPledge.js';
import { PLEDGE_CHANGED } from '../../workflows/contracts/recurringPledge.js';
import { aFoundation, type Foundation } from '../support/foundation.js';
import { give, giftOf, payGift } from '../support/giving.js';
import { openPage, sendForm } from '../support/givingPage.js';
import { recordHistory } from '../support/histories.js';
import { checkIncidents } from '../support/incidents.js';
import { asOwner } from '../support/owner.js';
import { aPlatform, eventually } from '../support/platform.js';
import { listProcesses } from '../support/processList.js';
import { letPeriodBeDue, noticesOf, periodsOf, pledgeOf, type PledgeRow, pledgeRow } from '../support/pledges.js';
import { aPlatformAdmin, aWorld, type World } from '../support/world.js';

let catcher: Catcher;
// The worker of the platform reads the address of the mail server when it starts.
beforeAll(async () => {
  catcher = await startMailServer();
});
const platform = aPlatform();
let world: World;
let foundation: Foundation;
let stripe: StripeSdk;

afterAll(() => stopMailServer(catcher));
beforeEach(async () => {
  world = await aWorld({ members: 1 });
  foundation = await aFoundation(world);
  const address = stripeAddress(platform.gateway.url);
  stripe = new StripeSdk(foundation.secretKey, { ...address, maxNetworkRetries: 0, telemetry: false });
});

const emailOf = async (pledge: PledgeRow): Promise<string> =>
  (await asOwner<{ email: string }>('SELECT email FROM donors WHERE id = $1', [pledge.donor_id]))[0]?.email as string;
const signal = ({ id }: PledgeRow) => inTenant(world.organizationId, () => wakePledge(id));
const admin = () => platform.client(foundation.admin);
const becomes = (pledge: PledgeRow, expected: Record<string, unknown>) =>
  eventually(
    () => pledgeRow(pledge.id),
    (row) => Object.entries(expected).every(([name, value]) => (row as never)[name] === value),
    30,
  );
const periodBecomes = (pledge: PledgeRow, expected: Record<string, unknown>) =>
  eventually(
    async () => (await periodsOf(pledge.id)).at(-1) ?? {},
    (row) => Object.entries(expected).every(([name, value]) => row[name] === value),
    30,
  );
const ends = (workflowId: string) => temporal().workflow.getHandle(workflowId).result();
const captured = async () =>
  (await stripe.paymentIntents.list({ limit: 100 })).data.filter(({ status }) => status === 'succeeded');

/** A donor who gives every month and has paid the first gift. */
async function aPledgeOf(email: string, interval = 'monthly'): Promise<PledgeRow> {
  const { status, body } = await give(platform.api.url, foundation, {
    email,
    is_recurring: true,
    recurring_interval: interval,
  });
  expect(status).toBe(201);
  await payGift(body.checkout_url);
  return eventually(
    () => pledgeOf(body.donation_id),
    (pledge) => Boolean(pledge?.card_encrypted),
    30,
  );
}

/** Lets the next period be due, and wakes the process. */
async function comeDue(pledge: PledgeRow): Promise<void> {
  await letPeriodBeDue(pledge.id);
  await signal(pledge);
}

/** Changes what the kept card does. */
async function changeCard(becomes: string): Promise<void> {
  const [intent] = await captured();
  await platform.changeKeptCard({ payment_intent: intent?.id as string, becomes });
}

test('a period that is due is charged once to the kept card, with a gift and a receipt of its own', async () => {
  const pledge = await aPledgeOf('monthly@example.org');
  expect(pledge).toMatchObject({ status: 'active', next_period: 1 });
  await comeDue(pledge);
  const { donation_id } = await periodBecomes(pledge, { status: 'paid' });
  expect(await giftOf(donation_id as string)).toMatchObject({
    status: 'completed',
    donor_cents: 10_000,
    gift_count: 2,
  });
  expect(await ends(`pledge-charge/${pledge.id}/1`)).toBe('paid');
  await recordHistory(`pledge-charge/${pledge.id}/1`, 'pledgeCharge-paid');
  const intents = await captured();
  expect(intents.map(({ metadata }) => metadata['pledge_id'])).toEqual([pledge.id, undefined]);
  expect(await asOwner('SELECT status FROM tax_receipts WHERE donation_id = $1', [donation_id])).toEqual([
    { status: 'valid' },
  ]);

  const shown = await listProcesses(admin(), 'kind=recurring_pledge');
  expect(shown.results).toMatchObject([{ id: processId(`pledge/${pledge.id}`), status: 'running' }]);
  await eventually(
    async () => (await admin().get(`/api/processes/${processId(`pledge/${pledge.id}`)}/`)).body,
    ({ stage }) => stage === 'waiting',
  );
});

test('a declined donor is told by mail, pays with another card, and the card before is deleted', async () => {
  const pledge = await aPledgeOf('declined@example.org');
  await changeCard('declined');
  await comeDue(pledge);
  await becomes(pledge, { status: 'past_due' });
  const mail = await eventually(
    async () =>
      catcher.mails.list('declined@example.org').find(({ subject }) => subject.includes('could not be charged')),
    (found) => found !== undefined,
    30,
  );
  const link = /http\S+\/giving\/pledges\/\S+\/card\//.exec(mail?.text ?? '')?.[0] as string;
  const url = platform.api.url + new URL(link).pathname;
  expect((await openPage(url)).html).toContain('Pay with another card');
  const page = await sendForm(url, {}, { Origin: platform.api.url });
  const checkout = /url=(http[^"]+)"/.exec(page.html)?.[1]?.replaceAll('&#38;', '&') as string;
  // While the page is open, the process does not charge the card.
  await asOwner('UPDATE pledge_periods SET next_try_at = now() WHERE pledge_id = $1 AND next_try_at IS NOT NULL', [
    pledge.id,
  ]);
  await temporal().workflow.getHandle(`pledge-charge/${pledge.id}/1`).signal(PLEDGE_CHANGED);
  await payGift(checkout);
  await periodBecomes(pledge, { status: 'paid', tries: 1 });
  const active = await becomes(pledge, { status: 'active', retired_card_encrypted: null });
  await eventually(
    () => pledgeRow(pledge.id),
    (row) => row.card_encrypted !== pledge.card_encrypted && row.card_encrypted !== null,
    30,
  );
  expect(active.cancelled_at).toBeNull();
  await eventually(
    async () => (await stripe.customers.list()).data.length,
    (customers) => customers === 1,
    30,
  );
  expect(await captured()).toHaveLength(2);
});

test('a pledge that is cancelled before the last look takes no money, and its card is deleted at the provider', async () => {
  const pledge = await aPledgeOf('withdrawn@example.org');
  await platform.fault({ kind: 'hold_after_capture', operation: 'create' });
  await comeDue(pledge);
  await platform.held();
  const cancelled = await admin().post(`/api/foundation/pledges/${pledge.id}/cancel/`, { reason: 'On request' });
  expect(cancelled).toMatchObject({ status: 200, body: { status: 'cancelled', charge_in_flight: false } });
  await platform.release();
  expect(await ends(`pledge-charge/${pledge.id}/1`)).toBe('withdrawn');
  await recordHistory(`pledge-charge/${pledge.id}/1`, 'pledgeCharge-withdrawn');
  await eventually(
    () => pledgeRow(pledge.id),
    (row) => row.card_encrypted === null,
    30,
  );
  expect(await captured()).toHaveLength(1);
  expect((await stripe.customers.list()).data).toEqual([]);
  expect(await ends(`pledge/${pledge.id}`)).toBe('cancelled');
  await recordHistory(`pledge/${pledge.id}`, 'recurringPledge-cancelled');
  expect((await admin().get(`/api/foundation/pledges/${pledge.id}/cancellation/`)).body).toEqual({
    cancelled_at: expect.any(String),
    cancelled_by: 'admin',
    last_charged_at: expect.any(String),
    charge_in_flight: false,
    refunded_at: null,
  });
});

test('a charge that succeeds after the cancellation is returned by itself, and the donor is told', async () => {
  const pledge = await aPledgeOf('late@example.org');
  await platform.fault({ kind: 'delay_events', delay_ms: 600_000 });
  await platform.fault({ kind: 'hold_after_capture', operation: 'confirm' });
  await comeDue(pledge);
  await platform.held();
  const cancelled = await admin().post(`/api/foundation/pledges/${pledge.id}/cancel/`, {});
  expect(cancelled).toMatchObject({ status: 200, body: { charge_in_flight: true } });
  await platform.release();
  expect(await ends(`pledge-charge/${pledge.id}/1`)).toBe('returned');
  await recordHistory(`pledge-charge/${pledge.id}/1`, 'pledgeCharge-returned');
  const [period] = await periodsOf(pledge.id);
  expect(period).toMatchObject({ status: 'paid', gift: 'refunded', refunded_cents: 5_000 });
  expect(await asOwner(`SELECT status FROM tax_receipts WHERE donation_id = $1`, [period?.['donation_id']])).toEqual([
    { status: 'void' },
  ]);
  expect((await admin().get(`/api/foundation/pledges/${pledge.id}/cancellation/`)).body).toMatchObject({
    charge_in_flight: false,
    refunded_at: expect.any(String),
  });
  await eventually(
    async () => catcher.mails.list('late@example.org').map(({ subject }) => subject),
    (subjects) => subjects.some((subject) => subject.startsWith('We return')),
    30,
  );
  expect(await noticesOf(pledge.id)).toEqual(['started', 'cancelled', 'returned']);
});

test('a card that the provider has deleted cancels the pledge, and a mailed link cancels one', async () => {
  const gone = await aPledgeOf('gone@example.org');
  await changeCard('deleted');
  await comeDue(gone);
  await becomes(gone, { status: 'cancelled', cancelled_by: 'process', cancel_reason: 'card_gone' });
  expect(await ends(`pledge-charge/${gone.id}/1`)).toBe('missed');
  await recordHistory(`pledge-charge/${gone.id}/1`, 'pledgeCharge-missed');

  const pledge = await aPledgeOf('link@example.org');
  const mail = await eventually(
    async () => catcher.mails.list('link@example.org').find(({ subject }) => subject.includes('has started')) ?? null,
    (found) => found !== null,
    30,
  );
  const link = /http\S+\/giving\/pledges\/[\w.-]+\//.exec(mail?.text ?? '')?.[0] as string;
  const url = platform.api.url + new URL(link).pathname;
  expect((await openPage(url)).html).toContain('Cancel your regular gift');
  expect(await pledgeRow(pledge.id)).toMatchObject({ status: 'active' });
  expect(await sendForm(url, {}, { Origin: 'https://evil.example' })).toMatchObject({ status: 403 });
  expect((await sendForm(url, {}, { Origin: platform.api.url })).html).toContain('Your regular gift is cancelled');
  expect(await pledgeRow(pledge.id)).toMatchObject({ status: 'cancelled', cancelled_by: 'mailed_link' });
  expect((await sendForm(url, {}, { Origin: platform.api.url })).status).toBe(200);
  expect((await openPage(`${url}card/`)).status).toBe(404);
  expect((await openPage(url.replace(pledge.id, gone.id))).status).toBe(404);
  expect(await ends(`pledge/${pledge.id}`)).toBe('cancelled');
  expect(await emailOf(pledge)).toBe('link@example.org');
});

test('the process of a pledge is stuck when its row is overdue by an hour', async () => {
  const pledge = await aPledgeOf('stuck@example.org');
  const shown = async () => (await admin().get(`/api/processes/${processId(`pledge/${pledge.id}`)}/`)).body;
  await eventually(shown, ({ stage }) => stage === 'waiting');
  expect(await shown()).toMatchObject({ stuck: false });
  await asOwner(`UPDATE recurring_pledges SET next_due_at = now() - interval '61 minutes' WHERE id = $1`, [pledge.id]);
  expect(await shown()).toMatchObject({ stuck: true, stuck_reason: 'age' });
  await checkIncidents();
  const listed = await admin().get('/api/processes/?kind=recurring_pledge&stuck=true');
  expect(listed.body.results).toMatchObject([{ id: processId(`pledge/${pledge.id}`), stuck: true }]);
});

test('foundation admins cannot cancel the process of a pledge; a platform admin gets the reason', async () => {
  const pledge = await aPledgeOf('kept@example.org');
  const refused = await platform
    .client(await aPlatformAdmin())
    .post(`/api/processes/${processId(`pledge/${pledge.id}`)}/cancel/`);
  expect(refused.status).toBe(409);
});
