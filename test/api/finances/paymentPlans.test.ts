/** Payment plans: approved, paid, reconciled, and ended with their invoice. */
import { randomUUID } from 'node:crypto';
import { inTenant } from '../../../models/database/tenancy.js';
import { followFreeze } from '../../../models/finances/payment-plans/followFreeze.js';
import { recordPayment } from '../../../models/finances/recordPayment.js';
import { eraseInOrganization } from '../../../models/identity/deletion/eraseInOrganization.js';
import { asOwner } from '../../support/owner.js';
import { type Person } from '../../support/world.js';
import { ask, day, marked, ME, OFFICER, type Owing, owing, pay, plans, read, review, stage } from './plans.support.js';

test('an approved plan moves the due date of the invoice to its first installment and charges nothing', async () => {
  const owed = await owing();
  const requested = await ask(owed);
  expect(requested).toMatchObject({
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
  expect(requested.body.installments.map(({ amount_cents }: { amount_cents: number }) => amount_cents)).toEqual([
    3_001, 3_000, 3_000,
  ]);
  const approved = await review(owed, requested.body.id);
  expect(approved).toMatchObject({
    status: 200,
    body: { status: 'approved', repriced: false, is_frozen: false, freeze_expires_at: null },
  });
  const before = requested.body.invoice_due_date;
  expect(approved.body.plan).toMatchObject({ status: 'active', total_cents: 9_001, original_due_date: before });
  expect(await read(owed)).toMatchObject({
    due_date: owed.body.first_due_date,
    original_due_date: before,
    balance_due_cents: 9_001,
  });
  expect((await stage.as(owed.world.member).get('/api/billing/me/payment-plans/')).body).toMatchObject({
    count: 1,
    results: [
      { id: approved.body.plan.id, next_due_date: owed.body.first_due_date, installments: [{ is_met: false }, {}, {}] },
    ],
  });
  expect(await asOwner('SELECT id FROM payment_attempts WHERE invoice_id = $1', [owed.invoice])).toEqual([]);
});

test('each paid installment moves the due date on, and the last payment completes the plan', async () => {
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

test('a later fee or voided discount leaves paid installments met and is due with the last one', async () => {
  const owed = await owing(9_000);
  const admin = stage.as(owed.world.admin);
  const discounts = `/api/invoices/${owed.invoice}/discounts/`;
  const discount = { amount_cents: 900, category: 'hardship', reason: 'Lost the job' };
  const discounted = (await admin.post(discounts, discount)).body.id;
  const { plan } = (await review(owed, (await ask(owed)).body.id)).body;
  const dates = plan.installments.map(({ due_date }: { due_date: string }) => due_date);
  const readPlanState = async () => {
    const { due_date, balance_due_cents } = await read(owed);
    const [{ installments }] = (await admin.get(plans(owed.world))).body.results;
    return [due_date, balance_due_cents, installments.map(({ is_met }: { is_met: boolean }) => is_met)];
  };
  await pay(owed, 2_700);
  expect(await readPlanState()).toEqual([dates[1], 5_400, [true, false, false]]);
  const fee = { kind: 'fee', amount_cents: 2_500, reason: 'A returned check' };
  expect((await admin.post(`/api/invoices/${owed.invoice}/adjust/`, fee)).status).toBe(201);
  expect(await readPlanState()).toEqual([dates[1], 7_900, [true, false, false]]);
  expect((await admin.post(`${discounts}${discounted}/void/`, { reason: 'Found another job' })).status).toBe(200);
  expect(await readPlanState()).toEqual([dates[1], 8_800, [true, false, false]]);
  await pay(owed, 5_400);
  expect(await readPlanState()).toEqual([dates[2], 3_400, [true, true, true]]);
  await pay(owed, 3_400);
  expect(await read(owed)).toMatchObject({ status: 'paid' });
});

test('a plan with a future installment ends the overdue status until that installment is missed', async () => {
  const owed = await owing(6_000, { dueIn: -10 });
  await marked(owed, await day(owed.world, 0));
  expect((await read(owed)).status).toBe('overdue');
  const requested = (await ask(owed)).body;
  expect(requested).toMatchObject({
    is_in_policy: true,
    is_frozen: false,
    freeze_expires_at: null,
    freeze_seconds_remaining: null,
  });
  await review(owed, requested.id);
  expect(await read(owed)).toMatchObject({ status: 'open', overdue_at: null });
  // Makes the first installment due before today.
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

test('requests lapse and plans end when their invoice is paid or void or the payer is erased', async () => {
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

  const erased = await owing();
  await pay(erased, 1_000);
  await review(erased, (await ask(erased)).body.id);
  await inTenant(erased.world.organizationId, () => eraseInOrganization(erased.world.member.userId));
  const rows = await asOwner(
    'SELECT p.status, r.justification FROM payment_plans p JOIN payment_plan_requests r ON r.id = p.request_id WHERE p.invoice_id = $1',
    [erased.invoice],
  );
  expect(rows).toEqual([{ status: 'cancelled', justification: 'Erased' }]);
});

/** Notifications about the end of a plan or a request: recipient and text. */
const readEndNotices = ({ world }: Owing, id: string) =>
  asOwner<{ who: string; body: string }>(
    `SELECT CASE recipient_id WHEN $2 THEN 'member' WHEN $3 THEN 'officer' ELSE 'somebody' END AS who, body
       FROM notifications WHERE subject_id = $1 AND notification_type IN ('plan_cancelled', 'plan_decided') AND event_id NOT LIKE '%approved'
      ORDER BY who`,
    [id, world.member.userId, world.officer.userId],
  );

test('a void invoice notifies the payer of the end of their plan, and without the reason the officer who requested it', async () => {
  const owed = await owing();
  const { id } = (await stage.as(owed.world.officer).post(OFFICER, owed.body)).body;
  const { plan } = (await review(owed, id)).body;
  const path = `/api/invoices/${owed.invoice}/void/`;
  const voiding = () => stage.as(owed.world.admin).post(path, { reason: 'A mistake of 7.' });
  expect([(await voiding()).status, (await voiding()).status]).toEqual([200, 409]);
  expect(await readEndNotices(owed, plan.id)).toEqual([
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

test('the erasure of a payer notifies the officer who requested the plan and signals the freeze workflow', async () => {
  const erasePayer = async (decide: boolean) => {
    const owed = await owing();
    const { id } = (await stage.as(owed.world.officer).post(OFFICER, owed.body)).body;
    const plan = decide ? (await review(owed, id)).body.plan : null;
    await asOwner('UPDATE users SET disabled_at = now() WHERE id = $1', [owed.world.member.userId]);
    await asOwner('DELETE FROM outbox WHERE workflow_id = $1', [`plan-freeze/${id}`]);
    await inTenant(owed.world.organizationId, () => eraseInOrganization(owed.world.member.userId));
    return { owed, id, plan };
  };
  const waiting = await erasePayer(false);
  const woken = await asOwner('SELECT signal FROM outbox WHERE workflow_id = $1', [`plan-freeze/${waiting.id}`]);
  expect(woken).toEqual([{ signal: 'changed' }]);
  await inTenant(waiting.owed.world.organizationId, () => followFreeze(waiting.id));
  expect(await readEndNotices(waiting.owed, waiting.id)).toEqual([
    { who: 'officer', body: expect.stringContaining('lapsed') },
  ]);
  const open = await asOwner(
    'SELECT id FROM notifications WHERE subject_id = $1 AND requires_action AND resolved_at IS NULL',
    [waiting.id],
  );
  expect(open).toEqual([]);
  const running = await erasePayer(true);
  expect(await readEndNotices(running.owed, running.plan.id)).toEqual([
    { who: 'officer', body: expect.stringMatching(/ no longer paid in installments\. The invoice is void/) },
  ]);
});

test('a cancelled plan restores the due date of its invoice, also after a partial refund', async () => {
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

test('an officer, not the payer, reconciles an installment once, and undoing it restores the due date', async () => {
  const owed = await owing(9_000);
  const { plan } = (await review(owed, (await ask(owed)).body.id)).body;
  const reconcile = (sequence: number, body: object = {}, who: Person = owed.world.officer, verb = 'reconcile') =>
    stage.as(who).post(plans(owed.world, `${plan.id}/installments/${sequence}/${verb}/`), body);
  await pay(owed, 500);
  const [payment] = (await read(owed)).payments;
  expect(await reconcile(1, { payment: payment.id })).toMatchObject({
    status: 400,
    body: { errors: { payment: [expect.any(String)] } },
  });
  expect((await reconcile(1, { payment: randomUUID() })).status).toBe(400);
  const reconciled = await reconcile(1, { note: 'Cash at the desk.' });
  expect(reconciled).toMatchObject({ status: 200, body: { next_due_date: plan.installments[1].due_date } });
  expect(await read(owed)).toMatchObject({ due_date: plan.installments[1].due_date, balance_due_cents: 8_500 });
  expect((await reconcile(1)).body).toMatchObject({ code: 'installment_reconciled' });
  expect((await reconcile(9)).status).toBe(404);
  expect((await reconcile(1, {}, owed.world.member)).status).toBe(403);
  expect((await reconcile(1, {}, owed.world.otherOfficer)).status).toBe(404);
  expect((await reconcile(1, { reason: 'Wrong member.' }, owed.world.officer, 'unreconcile')).body).toMatchObject({
    next_due_date: plan.installments[0].due_date,
  });
  expect((await reconcile(1, { reason: 'Again.' }, owed.world.officer, 'unreconcile')).body).toMatchObject({
    code: 'installment_not_reconciled',
  });
});

test('the roster shows a pending request and an active plan until an installment is late', async () => {
  const owed = await owing(9_000, { dueIn: 0 });
  const { world } = owed;
  const row = async () => {
    const { body } = await stage.as(world.officer).get(`/api/billing/roster/?chapter=${world.chapterId}`);
    return body.results.find((one: { membership: string }) => one.membership === world.member.membershipId);
  };
  expect(await row()).toMatchObject({ bucket: 'due', plan: null, freeze_expires_at: null });
  const requested = (await ask(owed)).body;
  expect(await row()).toMatchObject({
    bucket: 'pending_request',
    plan: null,
    freeze_expires_at: requested.freeze_expires_at,
  });
  const { plan } = (await review(owed, requested.id)).body;
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
