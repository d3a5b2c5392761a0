/** Requests for payment plans: filing, the freeze while they are pending, and the decision. */
import { config } from '../../../config.js';
import { inTenant } from '../../../models/database/tenancy.js';
import { approveNext } from '../../../models/finances/payment-plans/approveNext.js';
import { expectNowhere } from '../../support/apiWorld.js';
import { asOwner } from '../../support/owner.js';
import { countStatements } from '../../support/statements.js';
import { aMember, anInvoice, type Person } from '../../support/world.js';
import { statuses } from '../organizations/statuses.support.js';
import { ask, day, hq, marked, ME, OFFICER, owing, pay, plans, review, settings, stage } from './plans.support.js';

test('a pending request keeps its invoice from being marked overdue for two days after the due date and no longer', async () => {
  const owed = await owing(5_000, { dueIn: 0 });
  const { id, freeze_expires_at, freeze_seconds_remaining } = (await ask(owed)).body;
  expect(freeze_seconds_remaining).toBeGreaterThan(2 * 86_400 - 7_200);
  const [begins] = await asOwner<{ at: Date }>(
    `SELECT app.day_begins(timezone, $2::date) AS at FROM organizations WHERE id = $1`,
    [owed.world.organizationId, await day(owed.world, 3)],
  );
  expect(new Date(freeze_expires_at)).toEqual(begins?.at);
  const frozen = (on: string) =>
    asOwner<{ is: boolean }>('SELECT app.invoice_is_frozen($1, $2, $3::date) AS is', [
      owed.world.organizationId,
      owed.invoice,
      on,
    ]);
  for (const [ahead, is] of [
    [0, true],
    [1, true],
    [2, true],
    [3, false],
  ] as const)
    expect(await frozen(await day(owed.world, ahead))).toEqual([{ is }]);
  // Moves the dates back, as if this many days had passed.
  const back = (days: number) =>
    asOwner('UPDATE chapter_invoices SET due_date = due_date - $2::int WHERE id = $1', [owed.invoice, days]).then(() =>
      asOwner('UPDATE payment_plan_requests SET freeze_anchor = freeze_anchor - $2::int WHERE id = $1', [id, days]),
    );
  await back(1);
  expect(await marked(owed, await day(owed.world, 0))).toBe(0);
  await back(1);
  expect([await marked(owed, await day(owed.world, 0)), await marked(owed, await day(owed.world, 0))]).toEqual([0, 0]);
  await back(1);
  expect(await marked(owed, await day(owed.world, 0))).toBe(1);
  expect((await stage.as(owed.world.admin).get(hq(owed.world, `${id}/`))).body).toMatchObject({
    status: 'pending',
    is_frozen: false,
    freeze_seconds_remaining: 0,
  });
});

test.each([
  ['beyond the limits', { installment_count: 9 }, 14],
  ['filed after its freeze window', {}, -3],
])('a request %s does not freeze its invoice', async (_, more, dueIn) => {
  const owed = await owing(9_000, { dueIn });
  expect((await ask(owed, more)).body).toMatchObject({ status: 'pending', is_frozen: false, freeze_expires_at: null });
  expect((await stage.as(owed.world.admin).get(hq(owed.world, '?is_frozen=false'))).body.count).toBe(1);
  expect((await stage.as(owed.world.admin).get(hq(owed.world, '?is_frozen=true'))).body.count).toBe(0);
});

test.each([
  ['monthly', '2200-11-30'],
  ['weekly', '2200-12-24'],
  ['biweekly', '2200-12-17'],
])('a %s schedule from %s ends by the last day that the API accepts', async (interval, first_due_date) => {
  const owed = await owing();
  const body = { interval, first_due_date };
  const refused = await ask(owed, { ...body, installment_count: 3 });
  expect([refused.status, Object.keys(refused.body.errors)]).toEqual([400, ['installment_count']]);
  const answer = await ask(owed, { ...body, installment_count: 2 });
  expect([answer.status, answer.body.installments.at(-1).due_date]).toEqual([201, '2200-12-31']);
});

test('changed limits do not end a freeze, but a refusal or a withdrawal does', async () => {
  const owed = await owing();
  const { id } = (await ask(owed)).body;
  await settings(owed.world, { plan_max_installments: 2 });
  expect((await stage.as(owed.world.member).get(`${ME}${id}/`)).body).toMatchObject({
    is_in_policy: true,
    is_frozen: true,
  });
  expect((await review(owed, id, { decision: 'refuse' })).status).toBe(400);
  const refused = await review(owed, id, { decision: 'refuse', notes: 'Please call us.' });
  expect(refused.body).toMatchObject({
    status: 'refused',
    is_frozen: false,
    review_notes: 'Please call us.',
    plan: null,
  });
  const second = (await ask(owed, { installment_count: 2 })).body;
  expect(second).toMatchObject({ is_in_policy: true, is_frozen: true });
  const withdrawn = await stage.as(owed.world.member).post(`${ME}${second.id}/withdraw/`);
  expect(withdrawn.body).toMatchObject({ status: 'withdrawn', is_frozen: false });
  expect((await stage.as(owed.world.member).post(`${ME}${second.id}/withdraw/`)).body).toMatchObject({
    code: 'request_closed',
  });
});

test('ten concurrent requests make one request, and ten concurrent reviews make one plan', async () => {
  const owed = await owing();
  const answers = await Promise.all(Array.from({ length: 10 }, () => ask(owed)));
  expect(statuses(answers)).toEqual([201, ...Array.from({ length: 9 }, () => 409)]);
  const [{ body }] = answers.filter(({ status }) => status === 201) as [(typeof answers)[number]];
  const { id } = body;
  const reviewed = await Promise.all(Array.from({ length: 10 }, () => review(owed, id)));
  expect(statuses(reviewed)).toEqual([200, ...Array.from({ length: 9 }, () => 409)]);
  expect(await asOwner('SELECT id FROM payment_plans WHERE invoice_id = $1', [owed.invoice])).toHaveLength(1);
  expect((await ask(owed)).body).toMatchObject({ code: 'plan_already_active' });
});

test('an approval divides the current balance or takes another schedule, and refuses a schedule in the past', async () => {
  const owed = await owing(9_000);
  const first = (await ask(owed)).body;
  await pay(owed, 1_000);
  expect((await review(owed, first.id)).body).toMatchObject({
    repriced: true,
    invoice_balance_cents: 9_000,
    plan: {
      total_cents: 8_000,
      installments: [{ amount_cents: 2_668 }, { amount_cents: 2_666 }, { amount_cents: 2_666 }],
    },
  });
  const other = await owing(9_000);
  const request = (await ask(other)).body;
  const rows = [
    { due_date: await day(other.world, 1), amount_cents: 4_000 },
    { due_date: await day(other.world, 9), amount_cents: 5_000 },
  ];
  const wrong = await review(other, request.id, {
    decision: 'approve',
    installments: [rows[0], { ...rows[1], amount_cents: 4_999 }],
  });
  expect(wrong).toMatchObject({ status: 400, body: { errors: { installments: [expect.any(String)] } } });
  await asOwner(
    `UPDATE payment_plan_requests SET schedule = jsonb_set(schedule, '{0,due_date}', '"2020-01-01"') WHERE id = $1`,
    [request.id],
  );
  expect((await review(other, request.id)).body).toMatchObject({ code: 'schedule_past' });
  expect((await review(other, request.id, { decision: 'approve', installments: rows })).body).toMatchObject({
    repriced: false,
    plan: { installments: [{}, {}] },
  });
});

test('a request within the limits is approved at once if the organization chose that', async () => {
  const owed = await owing(9_000, { set: { auto_approve_within_limits: true } });
  expect((await ask(owed)).body).toMatchObject({ status: 'approved', reviewed_by: null, plan: { status: 'active' } });
  const beyond = await owing(9_000, { set: { auto_approve_within_limits: true } });
  expect((await ask(beyond, { installment_count: 12 })).body).toMatchObject({
    status: 'pending',
    policy_reasons: ['too_many_installments', 'too_long'],
  });
});

test('only persons whom the organization allows request a payment plan, and only while plans are enabled', async () => {
  const owed = await owing(9_000, { set: { plan_requesters: 'officers' } });
  const { world } = owed;
  expect(await ask(owed)).toMatchObject({ status: 403, body: { code: 'plan_requester_not_allowed' } });
  expect((await stage.as(world.officer).post(OFFICER, owed.body)).body).toMatchObject({
    status: 'pending',
    requester: { id: world.officer.userId },
  });
  await settings(world, { payment_plans_enabled: false });
  expect(await ask(owed)).toMatchObject({ status: 403, body: { code: 'payment_plans_disabled' } });
  const members = await owing(9_000, { set: { plan_requesters: 'members' } });
  expect((await stage.as(members.world.officer).post(OFFICER, members.body)).body).toMatchObject({
    code: 'plan_requester_not_allowed',
  });
  expect((await stage.as(members.world.admin).post(hq(members.world), members.body)).status).toBe(201);
});

test('an officer who sees no amounts cannot send one and gets none in any answer', async () => {
  const owed = await owing(777_777, { set: { officers_see_amounts: false } });
  const { world, body } = owed;
  const officer = stage.as(world.officer);
  const rows = [
    { due_date: await day(world, 1), amount_cents: 400_000 },
    { due_date: await day(world, 9), amount_cents: 377_777 },
  ];
  const { invoice, justification } = body;
  const refused = await officer.post(OFFICER, { invoice, justification, installments: rows });
  expect(refused).toMatchObject({ status: 400, body: { errors: { installments: [expect.any(String)] } } });
  const request = await officer.post(OFFICER, body);
  expect(request).toMatchObject({
    status: 201,
    body: {
      invoice_balance_cents: null,
      is_in_policy: null,
      policy_reasons: null,
      installments: [{ amount_cents: null }, {}, {}],
    },
  });
  await review(owed, request.body.id, { decision: 'approve', notes: 'Of 7,777.77 in all.' });
  const texts = [await officer.get(OFFICER), await officer.get(`${ME}${request.body.id}/`)].map(({ body: shown }) =>
    JSON.stringify(shown),
  );
  const plan = JSON.stringify(
    (await officer.get(plans(world, `${(await stage.as(world.admin).get(plans(world))).body.results[0].id}/`))).body,
  );
  for (const text of [...texts, plan, JSON.stringify(request.body)]) expect(text).not.toMatch(/_cents":\d|7,?777|2592/);
  expect((await stage.as(world.member).get(`${ME}${request.body.id}/`)).body).toMatchObject({
    invoice_balance_cents: 777_777,
    review_notes: 'Of 7,777.77 in all.',
  });
});

test('the schedules that an officer without amounts can choose do not reveal the balance', async () => {
  // One cent below the balance that 60 installments with the minimum first payment need, and exactly that balance.
  for (const [cents, isFrozen] of [
    [1_058, false],
    [1_059, true],
  ] as const) {
    const owed = await owing(cents, {
      set: { officers_see_amounts: false, plan_min_first_payment_cents: 1_000, plan_max_installments: 60 },
    });
    const officer = stage.as(owed.world.officer);
    for (const installment_count of [2, 58, 60]) {
      const { status, body } = await officer.post(OFFICER, { ...owed.body, installment_count, interval: 'weekly' });
      const long = installment_count > 2;
      expect([status, body.is_frozen, body.freeze_expires_at !== null]).toEqual([
        201,
        isFrozen && !long,
        isFrozen && !long,
      ]);
      await officer.post(`${ME}${body.id}/withdraw/`);
    }
    await settings(owed.world, { auto_approve_within_limits: true });
    expect((await officer.post(OFFICER, owed.body)).body.status).toBe(isFrozen ? 'approved' : 'pending');
  }
  const little = await owing(59, { set: { officers_see_amounts: false } });
  for (const installment_count of [2, 60])
    expect(await stage.as(little.world.officer).post(OFFICER, { ...little.body, installment_count })).toMatchObject({
      status: 400,
      body: { errors: { invoice: ['The balance is too small for a payment plan.'] } },
    });
  expect((await stage.as(little.world.admin).post(hq(little.world), little.body)).status).toBe(201);
});

test('an officer who sees no amounts reconciles installments without naming a payment', async () => {
  const owed = await owing();
  const { plan } = (await review(owed, (await ask(owed)).body.id)).body;
  await settings(owed.world, { officers_see_amounts: false });
  const tick = (body: object) =>
    stage.as(owed.world.officer).post(plans(owed.world, `${plan.id}/installments/1/reconcile/`), body);
  expect(await tick({ payment: owed.invoice })).toMatchObject({
    status: 400,
    body: { errors: { payment: [expect.any(String)] } },
  });
  expect(await tick({ note: 'In cash.' })).toMatchObject({ status: 200, body: { total_cents: null } });
});

test('regional admins decide on requests if the organization allows it, and no admin decides on their own', async () => {
  const owed = await owing();
  const { world } = owed;
  const { id } = (await ask(owed)).body;
  const regional = stage.as(world.regionalAdmin);
  expect([(await regional.get(hq(world))).status, (await regional.get(hq(world, `${id}/`))).status]).toEqual([
    403, 403,
  ]);
  const toDecide = async (who: Person) =>
    (await stage.as(who).get('/api/notifications/alert-summary/')).body.approvals as number;
  expect([await toDecide(world.admin), await toDecide(world.regionalAdmin)]).toEqual([1, 0]);
  await settings(world, { plan_regional_approval: true });
  expect((await regional.get(hq(world))).body.count).toBe(1);
  expect(await Promise.all([world.admin, world.regionalAdmin, world.member].map(toDecide))).toEqual([1, 1, 0]);
  expect((await regional.get(hq(world, `?chapter=${world.otherChapterId}`))).body.count).toBe(0);
  await asOwner('INSERT INTO organization_admins (organization_id, user_id, title) VALUES ($1, $2, $3)', [
    world.organizationId,
    world.member.userId,
    'Also',
  ]);
  expect((await stage.as(world.member).post(hq(world, `${id}/review/`), { decision: 'approve' })).body).toMatchObject({
    code: 'own_request',
  });
  expect((await regional.post(hq(world, `${id}/review/`), { decision: 'approve' })).status).toBe(200);
});

test('the queue lists requests by the end of their freeze, those without one last, in a fixed number of statements', async () => {
  const owed = await owing(9_000, { dueIn: 20 });
  const { world } = owed;
  const admin = stage.as(world.admin);
  await ask(owed);
  const list = () => admin.get(hq(world, '?status=pending'));
  const few = await countStatements(list);
  const ids: string[] = [];
  for (const [dueIn, installment_count] of [
    [5, 3],
    [9, 3],
    [2, 12],
  ] as const) {
    const other = await aMember(world.organizationId, world.chapterId);
    const invoice = await anInvoice(world, {
      chapterId: world.chapterId,
      membershipId: other.membershipId,
      cents: 9_000,
      dueIn,
    });
    ids.push((await stage.as(other).post(ME, { ...owed.body, invoice, installment_count })).body.id);
  }
  const order = (await list()).body.results.map((row: { id: string }) => ids.indexOf(row.id));
  expect(order).toEqual([0, 1, -1, 2]);
  expect(await countStatements(list)).toBe(few);
  expect((await admin.get(hq(world, '?in_policy=false'))).body.count).toBe(1);
  await review(owed, ids[0] as string, { decision: 'refuse', notes: 'Not now.' });
  const all = (await admin.get(hq(world))).body.results.map((row: { id: string }) => ids.indexOf(row.id));
  expect(all).toEqual([1, -1, 0, 2]);
  const waiting = (await admin.get(`/api/organizations/${world.organizationId}/approvals/`)).body;
  expect(JSON.stringify(waiting)).toContain('"plan"');
});

test('invalid requests are refused at their field, foreign invoices are not found, and a token is required', async () => {
  const owed = await owing();
  const { world, body } = owed;
  const fields = async (more: object) => Object.keys((await ask(owed, more)).body.errors ?? {});
  expect(await fields({ justification: 'Because' })).toEqual(['justification']);
  expect(await fields({ installment_count: 1 })).toEqual(['installment_count']);
  expect(await fields({ installment_count: 61 })).toEqual(['installment_count']);
  expect(await fields({ interval: 'yearly' })).toEqual(['interval']);
  expect(await fields({ first_due_date: await day(world, -1) })).toEqual(['first_due_date']);
  expect(await fields({ surprise: true })).toEqual(['surprise']);
  expect(
    await fields({
      installments: [
        { due_date: await day(world, 1), amount_cents: 1 },
        { due_date: await day(world, 2), amount_cents: 2 },
      ],
    }),
  ).toEqual(expect.arrayContaining(['installment_count']));
  const rows = async (...installments: [number, number][]) =>
    stage.as(world.member).post(ME, {
      invoice: body.invoice,
      justification: body.justification,
      installments: await Promise.all(
        installments.map(async ([ahead, amount_cents]) => ({ due_date: await day(world, ahead), amount_cents })),
      ),
    });
  expect(Object.keys((await rows([5, 4_000], [5, 5_001])).body.errors)).toEqual(['installments.1.due_date']);
  expect(Object.keys((await rows([-1, 4_000], [5, 5_001])).body.errors)).toEqual(['installments.0.due_date']);
  expect(Object.keys((await rows([1, 4_000], [5, 5_000])).body.errors)).toEqual(['installments']);
  const chapters = await anInvoice(world, { chapterId: world.chapterId, membershipId: null, cents: 5_000 });
  expect((await stage.as(world.officer).post(OFFICER, { ...body, invoice: chapters })).body.errors).toHaveProperty(
    'invoice',
  );
  const tiny = await owing(2);
  expect(Object.keys((await ask(tiny)).body.errors)).toEqual(['installment_count']);
  const stranger = await owing();
  expect((await ask(owed, { invoice: stranger.invoice })).status).toBe(404);
  expect((await stage.as(world.otherOfficer).post(OFFICER, body)).status).toBe(404);
  const { id } = (await ask(owed)).body;
  await expectNowhere(id, (one) => stage.as(stranger.world.admin).get(hq(stranger.world, `${one}/`)));
  await expectNowhere(id, (one) => stage.as(stranger.world.member).get(`${ME}${one}/`));
  for (const path of [ME, OFFICER, hq(world), plans(world), '/api/billing/me/payment-plans/'])
    expect((await stage.nobody.get(path)).status).toBe(401);
  for (const path of [hq(world), plans(world)]) expect((await stage.as(world.officer).get(path)).status).toBe(403);
});

test('bulk approval approves requests within the limits as previewed and reports the others with a reason', async () => {
  const owed = await owing(9_000);
  const { world } = owed;
  const admin = stage.as(world.admin);
  Object.assign(config, { PAY_WAIT_SECONDS: 0 });
  const bulk = (body: object = {}) => admin.post(hq(world, 'bulk-approve-in-policy/'), body);
  const request = async (more: object = {}): Promise<{ id: string; invoice: string }> => {
    const other = await aMember(world.organizationId, world.chapterId);
    const { chapterId } = world;
    const invoice = await anInvoice(world, { chapterId, membershipId: other.membershipId, cents: 9_000 });
    return { id: (await stage.as(other).post(ME, { ...owed.body, invoice, ...more })).body.id, invoice };
  };
  const [first, changed, passed] = [await request(), await request(), await request()];
  const beyond = await request({ installment_count: 12 });
  await pay({ ...owed, invoice: changed.invoice }, 1_000);
  await asOwner(
    `UPDATE payment_plan_requests SET schedule = jsonb_set(schedule, '{0,due_date}', '"2020-01-01"') WHERE id = $1`,
    [passed.id],
  );
  const { body: preview } = await bulk({ dry_run: true });
  expect(preview).toMatchObject({ dry_run: true, approved: [first.id], remaining: 0 });
  const skipped = Object.fromEntries(
    preview.skipped.map(({ id, reason }: { id: string; reason: string }) => [id, reason]),
  );
  expect(skipped).toEqual({ [changed.id]: 'balance_changed', [passed.id]: 'schedule_past' });
  // The state that two concurrent decisions would leave.
  const twice = await request();
  await review(owed, twice.id);
  await asOwner(
    `UPDATE payment_plan_requests SET status = 'pending', closed_at = NULL, reviewed_at = NULL, reviewed_by = NULL WHERE id = $1`,
    [twice.id],
  );
  const second = await request();
  expect((await bulk({ preview_hash: preview.preview_hash })).body).toMatchObject({ code: 'preview_stale' });
  const answers = await Promise.all(Array.from({ length: 5 }, () => bulk()));
  expect(answers.map(({ status, body }) => [status, body.status, body.remaining])).toEqual(
    Array.from({ length: 5 }, () => [202, 'approving', 2]),
  );
  const path = (id: string) => hq(world, `bulk-approvals/${id}/`);
  const runToEnd = async ({ body: { id } }: (typeof answers)[number]) => {
    while ((await inTenant(world.organizationId, () => approveNext(id))) === 'approving');
    return (await admin.get(path(id))).body;
  };
  const runs = await Promise.all(answers.map(runToEnd));
  expect(runs.map(({ status, total, done, remaining }) => [status, total, done, remaining])).toEqual(
    runs.map(() => ['approved', 5, 5, 0]),
  );
  const approvedIds: string[] = runs.flatMap(({ approved }) => approved);
  expect(approvedIds).toHaveLength(2);
  const skippedRequests = runs.flatMap(({ skipped: some }) => some) as { id: string; reason: string }[];
  const reasons = (id: string) => new Set(skippedRequests.filter((one) => one.id === id).map(({ reason }) => reason));
  expect(reasons(twice.id)).toEqual(new Set(['plan_already_active']));
  expect([first.id, second.id].flatMap((id) => [...reasons(id)])).toEqual(['decided', 'decided']);
  expect(new Set(approvedIds)).toEqual(new Set([first.id, second.id]));
  expect((await admin.get(hq(world, `${beyond.id}/`))).body.status).toBe('pending');
  expect(await bulk()).toMatchObject({ status: 200, body: { status: 'approved', approved: [], total: 3, done: 3 } });
  await expectNowhere(runs[0].id, (id) => stage.as(world.officer).get(path(id)));
  await expectNowhere(runs[0].id, (id) => stage.as(world.regionalAdmin).get(path(id)));
  expect((await stage.as(world.officer).post(hq(world, 'bulk-approve-in-policy/'))).status).toBe(403);
  const regional = stage.as(world.regionalAdmin);
  expect((await regional.post(hq(world, 'bulk-approve-in-policy/'))).status).toBe(403);
});
