import '../../../models/wireAreas.js';
import { config } from '../../../config.js';
import { inTenant } from '../../../models/database/tenancy.js';
import { foundationErasure } from '../../../models/foundation/erasure.js';
import { openPledgeToken, pledgeLink } from '../../../models/foundation/pledges/links.js';
import { Client } from '../../support/api.js';
import { apiWorld } from '../../support/apiWorld.js';
import { aFoundation, type Foundation } from '../../support/foundation.js';
import { campaignPath, give } from '../../support/giving.js';
import { donatePath, openPage, sendForm, valueIn } from '../../support/givingPage.js';
import { asOwner } from '../../support/owner.js';
import { aPledge, noticesOf, type PledgeRow, pledgeRow } from '../../support/pledges.js';
import { countStatements } from '../../support/statements.js';

config.PAY_WAIT_SECONDS = 0.01;

const stage = apiWorld();
const { world, other, as } = stage;
/** Address of the API. */
const url = () => stage.api.url;
let foundation: Foundation;
let pledge: PledgeRow;
beforeAll(async () => {
  foundation = await aFoundation(world);
});
beforeEach(async () => {
  pledge = await aPledge(world, foundation);
});

const PATH = '/api/foundation/pledges/';
const path = (more = '', { id } = pledge) => `${PATH}${id}/${more}`;
const admin = () => as(foundation.admin);
const editor = () => as(foundation.editor);
const day = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);

test('admins and editors list pledges, newest first, with filters, in a fixed number of statements', async () => {
  const newer = await aPledge(world, foundation, { recurring_interval: 'annually', first_name: 'Grace' });
  const { results } = (await editor().get(PATH)).body;
  expect(results.slice(0, 2)).toMatchObject([
    { id: newer.id, interval: 'annually', first_name: 'Grace', status: 'active', amount_cents: 5_000 },
    { id: pledge.id, interval: 'monthly', next_due_at: expect.any(String) },
  ]);
  for (const hidden of ['card_encrypted', 'retired_card_encrypted', 'processor_id', 'missed_in_a_row'])
    expect(results[0]).not.toHaveProperty(hidden);
  const listed = async (query: string) =>
    (await admin().get(`${PATH}?${query}`)).body.results.map((row: { id: string }) => row.id);
  expect(await listed(`donor=${pledge.donor_id}`)).toEqual([pledge.id]);
  expect(await listed(`campaign=${foundation.campaignId}&status=active`)).toContain(pledge.id);
  expect(await listed('status=cancelled')).not.toContain(pledge.id);
  expect(await admin().get(`${PATH}?status=ended`)).toMatchObject({
    status: 400,
    body: { errors: { status: [expect.any(String)] } },
  });
  expect(await countStatements(() => admin().get(PATH))).toBeLessThanOrEqual(4);
});

test('a pledge of another foundation is unknown, and editors change nothing', async () => {
  const foreign = await aPledge(other, await aFoundation(other));
  for (const more of ['', 'cancellation/'])
    expect(await admin().get(path(more, foreign))).toMatchObject({ status: 404 });
  for (const move of ['pause/', 'resume/', 'cancel/']) {
    expect(await admin().post(path(move, foreign), {})).toMatchObject({ status: 404 });
    expect(await editor().post(path(move), {})).toMatchObject({ status: 403 });
  }
  expect(await pledgeRow(foreign.id)).toMatchObject({ status: 'active' });
});

test('an admin pauses, resumes and cancels a pledge; the donor is told by mail, and other steps are 409', async () => {
  expect(await admin().post(path('resume/'), {})).toMatchObject({
    status: 409,
    body: { code: 'invalid_pledge_transition' },
  });
  expect(await admin().post(path('pause/'), { resume_on: day(30) })).toMatchObject({
    status: 200,
    body: { status: 'paused', resume_on: day(30), next_due_at: null },
  });
  expect(await admin().post(path('pause/'), {})).toMatchObject({ status: 409 });
  expect(await admin().post(path('resume/'), {})).toMatchObject({
    status: 200,
    body: { status: 'active', resume_on: null },
  });
  expect(await admin().get(path('cancellation/'))).toMatchObject({
    status: 200,
    body: { cancelled_at: null, charge_in_flight: false },
  });
  expect(await admin().post(path('cancel/'), { reason: 'On request' })).toMatchObject({
    status: 200,
    body: { status: 'cancelled', cancelled_by: 'admin', cancel_reason: 'On request', charge_in_flight: false },
  });
  expect(await admin().post(path('cancel/'), {})).toMatchObject({ status: 409 });
  const [paid] = await asOwner<{ closed_at: Date }>('SELECT closed_at FROM pledge_periods WHERE pledge_id = $1', [
    pledge.id,
  ]);
  expect((await admin().get(path('cancellation/'))).body).toEqual({
    cancelled_at: expect.any(String),
    cancelled_by: 'admin',
    last_charged_at: paid?.closed_at.toISOString(),
    charge_in_flight: false,
    refunded_at: null,
  });
  expect(await noticesOf(pledge.id)).toEqual(['started', 'paused', 'resumed', 'cancelled']);
});

test.each([
  ['past', -2],
  ['more than a year ahead', 400],
])('resume_on that is %s is refused', async (_, days) => {
  expect(await admin().post(path('pause/'), { resume_on: day(days) })).toMatchObject({
    status: 400,
    body: { errors: { resume_on: [expect.any(String)] } },
  });
  expect(await pledgeRow(pledge.id)).toMatchObject({ status: 'active' });
});

test('a refund cancels the pledge of its gift if asked to, and a gift without a pledge names the field', async () => {
  const [gift] = await asOwner<{ id: string }>('SELECT id FROM donations WHERE pledge_id = $1', [pledge.id]);
  const refund = (id: string) =>
    admin().post(`/api/foundation/donations/${id}/refund/`, { reason: 'On request', cancel_pledge: true });
  expect(await refund(gift?.id as string)).toMatchObject({ status: 201 });
  expect(await pledgeRow(pledge.id)).toMatchObject({ status: 'cancelled', cancelled_by: 'admin' });
});

test('while pledges live, their account can be neither removed nor replaced by another', async () => {
  const refused = { status: 409, body: { code: 'pledges_depend_on_processor' } };
  expect(await admin().delete('/api/foundation/payment-processor/')).toMatchObject(refused);
});

test('deleting the account of a donor cancels the pledges', async () => {
  await asOwner('UPDATE donors SET user_id = $2 WHERE id = $1', [pledge.donor_id, world.member.userId]);
  await inTenant(
    world.organizationId,
    () => foundationErasure.inOrganization?.(world.member.userId, []) as Promise<unknown>,
  );
  expect(await pledgeRow(pledge.id)).toMatchObject({ status: 'cancelled', cancelled_by: 'account_deletion' });
});

test('a campaign accepts recurring gifts if its provider can; otherwise donate is 422 and the page hides the choice', async () => {
  const monthly = { is_recurring: true, recurring_interval: 'monthly' };
  const campaign = async () => (await new Client(url()).get(campaignPath(foundation))).body;
  expect(await campaign()).toMatchObject({ accepts_recurring: true });
  expect((await openPage(url() + donatePath(foundation))).html).toContain('Every month');
  await asOwner(`UPDATE org_payment_processors SET provider = 'square' WHERE id = $1`, [foundation.processorId]);
  expect(await campaign()).toMatchObject({ accepts_recurring: false, accepts_donations: true });
  expect((await openPage(url() + donatePath(foundation))).html).not.toContain('Every month');
  expect(await give(url(), foundation, monthly)).toMatchObject({
    status: 422,
    body: { code: 'recurring_not_supported' },
  });
  await asOwner(`UPDATE org_payment_processors SET provider = 'stripe' WHERE id = $1`, [foundation.processorId]);
  // No worker opens the page here.
  expect(await give(url(), foundation, monthly)).toMatchObject({ status: 503 });
  expect(
    await asOwner(
      `SELECT d.recurring_interval, a.page_keeps_card FROM donations d JOIN payment_attempts a ON a.donation_id = d.id ORDER BY d.id DESC LIMIT 1`,
    ),
  ).toEqual([{ recurring_interval: 'monthly', page_keeps_card: true }]);
});

test('the page shows once more how often the donor gives, before anything is paid', async () => {
  const page = url() + donatePath(foundation);
  const fields = {
    other_amount: '50',
    first_name: 'Ada',
    last_name: 'Lovelace',
    email: 'ada@example.org',
    recurring_interval: 'quarterly',
  };
  const review = await sendForm(page, fields);
  expect(review.html).toContain('now, and again every quarter until you stop');
  expect(valueIn(review, 'recurring_interval')).toBe('quarterly');
  const again = await sendForm(page, { ...fields, change: 'yes' });
  expect(again.html).toMatch(/value="quarterly" checked/);
});

test('a signed link is valid for its purpose and its pledge only', () => {
  const token = (link: string) => /pledges\/([^/]+)\//.exec(link)?.[1] as string;
  const cancel = token(pledgeLink('cancel', pledge.id));
  expect(openPledgeToken('cancel', cancel)).toBe(pledge.id);
  expect(openPledgeToken('pay', cancel)).toBeNull();
  expect(openPledgeToken('cancel', token(pledgeLink('pay', pledge.id)))).toBeNull();
  for (const wrong of ['', '.', `${pledge.id}.`, `${cancel}.x`, cancel.replace(pledge.id, foundation.campaignId)])
    expect(openPledgeToken('cancel', wrong)).toBeNull();
});

test('a mailed link cancels while the organization is suspended, and again at the same moment', async () => {
  const link = (purpose: 'cancel' | 'pay') => url() + new URL(pledgeLink(purpose, pledge.id)).pathname;
  const suspend = (isSuspended: boolean) =>
    asOwner('UPDATE organizations SET is_active = NOT $2 WHERE id = $1', [world.organizationId, isSuspended]);
  await suspend(true);
  try {
    expect(await openPage(link('pay'))).toMatchObject({ status: 404 });
    expect(await openPage(link('cancel'))).toMatchObject({ status: 200 });
    const answers = await Promise.all(Array.from({ length: 4 }, () => sendForm(link('cancel'), {})));
    for (const { html } of answers) expect(html).toContain('Your regular gift is cancelled');
  } finally {
    await suspend(false);
  }
  expect(await pledgeRow(pledge.id)).toMatchObject({ status: 'cancelled', cancelled_by: 'mailed_link' });
});

test('another time zone of the foundation moves the due time to its morning, and wakes the process', async () => {
  const config = '/api/foundation/config/';
  const { next_due_at: before } = await pledgeRow(pledge.id);
  expect((await admin().patch(config, { timezone: 'Pacific/Kiritimati' })).status).toBe(200);
  const { next_due_at: after } = await pledgeRow(pledge.id);
  expect((await admin().patch(config, { timezone: 'UTC' })).status).toBe(200);
  const HOUR_MS = 3_600_000;
  expect((before as Date).getTime() - (after as Date).getTime()).toBe(14 * HOUR_MS);
  const woken = await asOwner(`SELECT FROM outbox WHERE workflow_id = $1 AND signal = 'changed'`, [
    `pledge/${pledge.id}`,
  ]);
  expect(woken).toHaveLength(2);
});
