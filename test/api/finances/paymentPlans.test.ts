/** Instalments: granted, paid, ticked, and ended with their invoice. */
import { randomUUID } from 'node:crypto';
import { inTenant } from '../../../models/database/tenancy.js';
import { followFreeze } from '../../../models/finances/payment-plans/followFreeze.js';
import { recordPayment } from '../../../models/finances/recordPayment.js';
import { eraseInOrganization } from '../../../models/identity/deletion/eraseInOrganization.js';
import { asOwner } from '../../support/owner.js';
import { type Person } from '../../support/world.js';
import { ask, day, marked, ME, OFFICER, type Owing, owing, pay, plans, read, review, stage } from './plans.support.js';

test('a member asks, an administrator grants it, and the invoice is due with the first row; nothing is charged', async () => {
  const owed = await owing();
  const asked = await ask(owed);
  expect(asked).toMatchObject({
    status: 201,
    body: {
      status: 'pending',
      invoice_balance_cents: 9_001,
      is_in_policy: true,
      policy_reasons: [],
      is_frozen: true,
      plan: null,
      member: { membership: owed.world.member.membershipId },
      requester: { id: owed.world.member.userId },
    },
  });
  expect(asked.body.installments.map(({ amount_cents }: { amount_cents: number }) => amount_cents)).toEqual([
    3_001, 3_000, 3_000,
  ]);
  const granted = await review(owed, asked.body.id);
  expect(granted).toMatchObject({
    status: 200,
    body: { status: 'approved', repriced: false, is_frozen: false, freeze_expires_at: null },
  });
  const before = asked.body.invoice_due_date;
  expect(granted.body.plan).toMatchObject({ status: 'active', total_cents: 9_001, original_due_date: before });
  expect(await read(owed)).toMatchObject({
    due_date: owed.body.first_due_date,
    original_due_date: before,
    balance_due_cents: 9_001,
  });
  expect((await stage.as(owed.world.member).get('/api/billing/me/payment-plans/')).body).toMatchObject({
    count: 1,
    results: [
      { id: granted.body.plan.id, next_due_date: owed.body.first_due_date, installments: [{ is_met: false }, {}, {}] },
    ],
  });
  expect(await asOwner('SELECT id FROM payment_attempts WHERE invoice_id = $1', [owed.invoice])).toEqual([]);
});

test('money that came moves the due date on, whether anybody ticked it or not; the last of it completes the plan', async () => {
  const owed = await owing();
  const { body } = await review(owed, (await ask(owed)).body.id);
  const dates = body.plan.installments.map(({ due_date }: { due_date: string }) => due_date);
  await pay(owed, 3_000);
  expect((await read(owed)).due_date).toBe(dates[0]);
  await pay(owed, 1);
  expect((await read(owed)).due_date).toBe(dates[1]);
  await pay(owed, 5_000);
  expect((await read(owed)).due_date).toBe(dates[2]);
  await pay(owed, 1_000);
  expect(await read(owed)).toMatchObject({ status: 'paid' });
  const [plan] = (await stage.as(owed.world.admin).get(plans(owed.world, '?status=completed'))).body.results;
  expect(plan).toMatchObject({ id: body.plan.id, status: 'completed', next_due_date: null, is_late: false });
  expect(plan.installments.every(({ is_met }: { is_met: boolean }) => is_met)).toBe(true);
  const { results } = (await stage.as(owed.world.member).get('/api/billing/me/ledger/')).body;
  expect(results.filter(({ kind }: { kind: string }) => kind === 'plan')).toMatchObject([
    {
      id: plan.id,
      description: 'Payment plan completed',
      amount_cents: 0,
      explain: `/api/invoices/${owed.invoice}/explain/`,
    },
    { id: plan.id, description: 'Payment plan started', amount_cents: 0 },
  ]);
});

test('what is billed since undoes no row that was paid: it is left when all of them are met, and due with the last', async () => {
  const owed = await owing(9_000);
  const admin = stage.as(owed.world.admin);
  const discounts = `/api/invoices/${owed.invoice}/discounts/`;
  const discount = { amount_cents: 900, category: 'hardship', reason: 'Lost the job' };
  const discounted = (await admin.post(discounts, discount)).body.id;
  const { plan } = (await review(owed, (await ask(owed)).body.id)).body;
  const dates = plan.installments.map(({ due_date }: { due_date: string }) => due_date);
  const stands = async () => {
    const { due_date, balance_due_cents } = await read(owed);
    const [{ installments }] = (await admin.get(plans(owed.world))).body.results;
    return [due_date, balance_due_cents, installments.map(({ is_met }: { is_met: boolean }) => is_met)];
  };
  await pay(owed, 2_700);
  expect(await stands()).toEqual([dates[1], 5_400, [true, false, false]]);
  const fee = { kind: 'fee', amount_cents: 2_500, reason: 'A returned check' };
  expect((await admin.post(`/api/invoices/${owed.invoice}/adjust/`, fee)).status).toBe(201);
  expect(await stands()).toEqual([dates[1], 7_900, [true, false, false]]);
  expect((await admin.post(`${discounts}${discounted}/void/`, { reason: 'Found another job' })).status).toBe(200);
  expect(await stands()).toEqual([dates[1], 8_800, [true, false, false]]);
  await pay(owed, 5_400);
  expect(await stands()).toEqual([dates[2], 3_400, [true, true, true]]);
  await pay(owed, 3_400);
  expect(await read(owed)).toMatchObject({ status: 'paid' });
});

test('an overdue invoice whose plan has a day to come is overdue no more, and is again when that day is missed', async () => {
  const owed = await owing(6_000, { dueIn: -10 });
  await marked(owed, await day(owed.world, 0));
  expect((await read(owed)).status).toBe('overdue');
  const asked = (await ask(owed)).body;
  expect(asked).toMatchObject({
    is_in_policy: true,
    is_frozen: false,
    freeze_expires_at: null,
    freeze_seconds_remaining: null,
  });
  await review(owed, asked.id);
  expect(await read(owed)).toMatchObject({ status: 'open', overdue_at: null });
  // as if the first row had been a week ago
  await asOwner(
    `UPDATE payment_plan_installments SET due_date = due_date - 20 WHERE plan_id IN (SELECT id FROM payment_plans WHERE invoice_id = $1)`,
    [owed.invoice],
  );
  expect(await marked(owed, await day(owed.world, 0))).toBe(1);
  expect((await read(owed)).status).toBe('overdue');
  const late = (await stage.as(owed.world.admin).get(plans(owed.world, '?late=true'))).body;
  expect(late).toMatchObject({
    count: 1,
    results: [{ is_late: true, installments: [{ is_late: true }, { is_late: false }, {}] }],
  });
  await pay(owed, 2_000);
  expect(await read(owed)).toMatchObject({ status: 'partially_paid', is_past_due: false });
});

test('what is paid, void or gone needs no instalments: requests lapse, plans end', async () => {
  const paid = await owing();
  const { id } = (await ask(paid)).body;
  await pay(paid, 9_001);
  expect((await stage.as(paid.world.member).get(`${ME}${id}/`)).body).toMatchObject({
    status: 'lapsed',
    is_frozen: false,
  });
  expect((await review(paid, id)).body).toMatchObject({ code: 'request_closed' });

  const voided = await owing();
  await review(voided, (await ask(voided)).body.id);
  await stage.as(voided.world.admin).post(`/api/invoices/${voided.invoice}/void/`, { reason: 'A mistake.' });
  expect((await stage.as(voided.world.admin).get(plans(voided.world))).body.results).toMatchObject([
    { status: 'cancelled', cancel_reason: 'A mistake.' },
  ]);

  const gone = await owing();
  await pay(gone, 1_000);
  await review(gone, (await ask(gone)).body.id);
  await inTenant(gone.world.organizationId, () => eraseInOrganization(gone.world.member.userId));
  const left = await asOwner(
    'SELECT p.status, r.justification FROM payment_plans p JOIN payment_plan_requests r ON r.id = p.request_id WHERE p.invoice_id = $1',
    [gone.invoice],
  );
  expect(left).toEqual([{ status: 'cancelled', justification: 'Erased' }]);
});

/** Who was told of a plan or a request that has ended, how often, and what they read. */
const heard = ({ world }: Owing, id: string) =>
  asOwner<{ who: string; body: string }>(
    `SELECT CASE recipient_id WHEN $2 THEN 'member' WHEN $3 THEN 'officer' ELSE 'somebody' END AS who, body
       FROM notifications WHERE subject_id = $1 AND notification_type IN ('plan_cancelled', 'plan_decided') AND event_id NOT LIKE '%approved'
      ORDER BY who`,
    [id, world.member.userId, world.officer.userId],
  );

test('who pays by instalments is told once that they end with a void invoice, and so is the officer who asked, without why', async () => {
  const owed = await owing();
  const { id } = (await stage.as(owed.world.officer).post(OFFICER, owed.body)).body;
  const { plan } = (await review(owed, id)).body;
  const path = `/api/invoices/${owed.invoice}/void/`;
  const voiding = () => stage.as(owed.world.admin).post(path, { reason: 'A mistake of 7.' });
  expect([(await voiding()).status, (await voiding()).status]).toEqual([200, 409]);
  expect(await heard(owed, plan.id)).toEqual([
    {
      who: 'member',
      body: expect.stringMatching(
        / no longer paid in installments: A mistake of 7\. The invoice is void: nothing is due on it\.$/,
      ),
    },
    {
      who: 'officer',
      body: expect.stringMatching(/ no longer paid in installments\. The invoice is void: nothing is due on it\.$/),
    },
  ]);
});

test('when a payer’s account is deleted, whoever else asked hears that it has ended, and the window is woken', async () => {
  const gone = async (decide: boolean) => {
    const owed = await owing();
    const { id } = (await stage.as(owed.world.officer).post(OFFICER, owed.body)).body;
    const plan = decide ? (await review(owed, id)).body.plan : null;
    await asOwner('UPDATE users SET disabled_at = now() WHERE id = $1', [owed.world.member.userId]);
    await asOwner('DELETE FROM outbox WHERE workflow_id = $1', [`plan-freeze/${id}`]);
    await inTenant(owed.world.organizationId, () => eraseInOrganization(owed.world.member.userId));
    return { owed, id, plan };
  };
  const waiting = await gone(false);
  const woken = await asOwner('SELECT signal FROM outbox WHERE workflow_id = $1', [`plan-freeze/${waiting.id}`]);
  expect(woken).toEqual([{ signal: 'changed' }]);
  await inTenant(waiting.owed.world.organizationId, () => followFreeze(waiting.id));
  expect(await heard(waiting.owed, waiting.id)).toEqual([{ who: 'officer', body: expect.stringContaining('lapsed') }]);
  const open = await asOwner(
    'SELECT id FROM notifications WHERE subject_id = $1 AND requires_action AND resolved_at IS NULL',
    [waiting.id],
  );
  expect(open).toEqual([]);
  const running = await gone(true);
  expect(await heard(running.owed, running.plan.id)).toEqual([
    { who: 'officer', body: expect.stringMatching(/ no longer paid in installments\. The invoice is void/) },
  ]);
});

test('a plan that is cancelled gives the due date back, and money that went back is due with the rows', async () => {
  const owed = await owing(9_000);
  const before = (await read(owed)).due_date;
  const { plan } = (await review(owed, (await ask(owed)).body.id)).body;
  const intent = `pi_${randomUUID()}`;
  await inTenant(owed.world.organizationId, () =>
    recordPayment({
      invoiceId: owed.invoice,
      amountCents: 3_000,
      processorId: null,
      intentId: null,
      processorPaymentId: intent,
    }),
  );
  await asOwner('UPDATE payment_records SET refunded_cents = 500 WHERE processor_payment_id = $1', [intent]);
  expect((await read(owed)).due_date).toBe(plan.installments[0].due_date);
  const cancelled = await stage
    .as(owed.world.admin)
    .post(plans(owed.world, `${plan.id}/cancel/`), { reason: 'Asked by phone.' });
  expect(cancelled).toMatchObject({ status: 200, body: { status: 'cancelled', cancel_reason: 'Asked by phone.' } });
  expect((await read(owed)).due_date).toBe(before);
  expect(
    (await stage.as(owed.world.admin).post(plans(owed.world, `${plan.id}/cancel/`), { reason: 'Again.' })).body,
  ).toMatchObject({ code: 'plan_not_active' });
});

test('a row is ticked once, by others than who pays it, within its payment, and moves the due date; so does taking it back', async () => {
  const owed = await owing(9_000);
  const { plan } = (await review(owed, (await ask(owed)).body.id)).body;
  const tick = (sequence: number, body: object = {}, who: Person = owed.world.officer, verb = 'reconcile') =>
    stage.as(who).post(plans(owed.world, `${plan.id}/installments/${sequence}/${verb}/`), body);
  await pay(owed, 500);
  const [payment] = (await read(owed)).payments;
  expect(await tick(1, { payment: payment.id })).toMatchObject({
    status: 400,
    body: { errors: { payment: [expect.any(String)] } },
  });
  expect((await tick(1, { payment: randomUUID() })).status).toBe(400);
  const ticked = await tick(1, { note: 'Cash at the desk.' });
  expect(ticked).toMatchObject({ status: 200, body: { next_due_date: plan.installments[1].due_date } });
  expect(await read(owed)).toMatchObject({ due_date: plan.installments[1].due_date, balance_due_cents: 8_500 });
  expect((await tick(1)).body).toMatchObject({ code: 'installment_reconciled' });
  expect((await tick(9)).status).toBe(404);
  expect((await tick(1, {}, owed.world.member)).status).toBe(403);
  expect((await tick(1, {}, owed.world.otherOfficer)).status).toBe(404);
  expect((await tick(1, { reason: 'Wrong member.' }, owed.world.officer, 'unreconcile')).body).toMatchObject({
    next_due_date: plan.installments[0].due_date,
  });
  expect((await tick(1, { reason: 'Again.' }, owed.world.officer, 'unreconcile')).body).toMatchObject({
    code: 'installment_not_reconciled',
  });
});

test('the roster has who asks and who pays by instalments, until they are behind', async () => {
  const owed = await owing(9_000, { dueIn: 0 });
  const { world } = owed;
  const row = async () => {
    const { body } = await stage.as(world.officer).get(`/api/billing/roster/?chapter=${world.chapterId}`);
    return body.results.find((one: { membership: string }) => one.membership === world.member.membershipId);
  };
  expect(await row()).toMatchObject({ bucket: 'due', plan: null, freeze_expires_at: null });
  const asked = (await ask(owed)).body;
  expect(await row()).toMatchObject({
    bucket: 'pending_request',
    plan: null,
    freeze_expires_at: asked.freeze_expires_at,
  });
  const { plan } = (await review(owed, asked.id)).body;
  const onPlan = {
    bucket: 'on_plan',
    plan: { next_due_date: plan.next_due_date, is_late: false },
    freeze_expires_at: null,
  };
  expect(await row()).toMatchObject(onPlan);
  await asOwner('UPDATE payment_plan_installments SET due_date = due_date - 20 WHERE plan_id = $1', [plan.id]);
  expect(await row()).toMatchObject({ bucket: 'delinquent', plan: { is_late: true } });
  await pay(owed, 3_000);
  expect(await row()).toMatchObject({ bucket: 'on_plan', plan: { is_late: false } });
});
