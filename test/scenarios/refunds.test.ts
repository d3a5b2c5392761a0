/** Money is refunded once and to its payer: on its charge, within the officer's limit, and as the gateway reports. */
import { recordHistory } from '../support/histories.js';
import { asOwner } from '../support/owner.js';
import { eventually } from '../support/platform.js';
import { listProcesses } from '../support/processList.js';
import { accountKeyOf } from '../support/walk/outsider.js';
import { aWorld, signIn } from '../support/world.js';
import { refunding } from './refunds.support.js';

const { stage, impatient, paid, back, backWhenThereIsRoom, read, atGateway, becomes } = refunding();

test('a full refund is made once on its charge, and the invoice is due again', async () => {
  const { invoices, intent } = await paid([5_000]);
  const answer = await back(invoices[0]);
  expect([answer.status, answer.body]).toMatchObject([
    201,
    {
      refunds: [
        { invoice: invoices[0], status: 'succeeded', amount_cents: 5_000, requested_by: stage.world.admin.userId },
      ],
      invoice: { status: 'open', balance_due_cents: 5_000, overdue_at: null },
    },
  ]);
  const [refund] = answer.body.refunds;
  expect(await atGateway(intent)).toMatchObject([{ id: refund.gateway_refund_id, amount: 5_000 }]);
  expect(await back(invoices[0])).toMatchObject({ status: 409, body: { code: 'nothing_to_refund' } });
  const [process] = (await listProcesses(stage.admin, `subject=${refund.id}`)).results;
  expect((await stage.admin.get(`/api/processes/${process.id}/`)).body).toMatchObject({
    kind: 'refund',
    money_moved: 'yes',
  });
  await recordHistory(`refund/${refund.id}`, 'refund-succeeded');
  expect((await stage.admin.get(`/api/invoices/${invoices[0]}/refunds/`)).body).toMatchObject({
    count: 1,
    results: [refund],
  });
  const { body: explained } = await stage.admin.get(`/api/invoices/${invoices[0]}/explain/`);
  const charged = { kind: 'payment', process: expect.stringMatching(/^remittance-payment\//), gateway_object: intent };
  expect(explained).toMatchObject({
    balance_cents: 5_000,
    entries: [
      { effect_cents: 5_000, running_balance_cents: 5_000, cause: { kind: 'line' } },
      { effect_cents: -5_000, running_balance_cents: 0, cause: charged },
      {
        effect_cents: 5_000,
        running_balance_cents: 5_000,
        actor: { id: stage.world.admin.userId },
        cause: {
          kind: 'refund',
          id: refund.id,
          process: `refund/${refund.id}`,
          gateway_object: refund.gateway_refund_id,
        },
      },
    ],
  });
});

test('a refund can be cancelled and its reservation released only before the gateway was asked for it', async () => {
  const { invoices, intent } = await paid([5_000]);
  const key = accountKeyOf(
    (
      await asOwner<{ id: string }>('SELECT id FROM org_payment_processors WHERE organization_id = $1', [
        stage.world.organizationId,
      ])
    )[0]?.id as string,
  );
  await stage.platform.changeKey({ key, revoked: true });
  impatient();
  const { refunds } = (await back(invoices[0])).body;
  expect(refunds).toMatchObject([{ status: 'reserved' }]);
  const processOf = async (id: string) =>
    eventually(
      async () => (await stage.admin.get(`/api/processes/?subject=${id}&kind=refund`)).body.results[0],
      (process) => process !== undefined,
    );
  const { id } = await processOf(refunds[0].id);
  const cancel = (process: string) => stage.admin.post(`/api/processes/${process}/cancel/`);
  // While it tries with a refused key, the answer may be that money may have moved.
  await eventually(
    () => cancel(id),
    ({ status }) => status < 300,
  );
  expect(await becomes(refunds[0].id, 'failed')).toMatchObject({ failure_code: 'cancelled' });
  await eventually(
    async () => (await stage.admin.get(`/api/processes/${id}/`)).body,
    ({ status }) => status === 'cancelled',
  );
  await recordHistory(`refund/${refunds[0].id}`, 'refund-cancelled');
  await stage.platform.changeKey({ key, revoked: false });
  expect(await atGateway(intent)).toEqual([]);
  await stage.platform.fault({ kind: 'hold', operation: 'refund' });
  const [again] = (await back(invoices[0])).body.refunds;
  expect(again.status).toBe('processing');
  expect((await cancel((await processOf(again.id)).id)).body).toMatchObject({ code: 'money_may_have_moved' });
  await stage.platform.release();
  await becomes(again.id, 'succeeded');
  expect(await atGateway(intent)).toMatchObject([{ amount: 5_000 }]);
});

test('refunding one invoice of a remittance leaves the other invoices paid', async () => {
  const { invoices, intent } = await paid([2_000, 3_000, 1_000]);
  expect(await back(invoices[1], { amount_cents: 2_500 })).toMatchObject({
    status: 201,
    body: { refunds: [{ status: 'succeeded' }], invoice: { status: 'partially_paid', balance_due_cents: 2_500 } },
  });
  expect(await back(invoices[1], { amount_cents: 501 })).toMatchObject({
    status: 409,
    body: { code: 'refund_exceeds_refundable', detail: 'At most 500 cents can be refunded.' },
  });
  // A further refund is made at the gateway: its invoice is unknown until an administrator decides.
  await stage.stripe.refunds.create({ payment_intent: intent, amount: 700 });
  const path = `/api/organizations/${stage.world.organizationId}/money-cases/`;
  const { results } = await eventually(
    async () => (await stage.admin.get(`${path}?status=open`)).body,
    ({ count }) => count === 1,
  );
  expect(results).toMatchObject([{ kind: 'refund_unknown', gateway_object: intent, amount_cents: 700 }]);
  expect((await read(invoices[0])).status).toBe('paid');
  const decision = { resolution: 'allocated', note: 'As the bank said.' };
  const share = { invoice: invoices[2], amount_cents: 700 };
  const resolved = await stage.admin.post(`${path}${results[0].id}/resolve/`, { ...decision, allocations: [share] });
  expect(resolved).toMatchObject({ status: 200, body: { status: 'closed' } });
  const owed = await Promise.all(invoices.map(async (id) => (await read(id)).balance_due_cents));
  expect(owed).toEqual([0, 2_500, 700]);
});

test('a refund with a waiver leaves nothing due', async () => {
  const { invoices } = await paid([5_000]);
  const before = await read(invoices[0]);
  const { body } = await back(invoices[0], { amount_cents: 2_000, waive: true });
  expect(body.invoice).toMatchObject({
    status: 'paid',
    balance_due_cents: 0,
    due_date: before.due_date,
    discounts: [{ category: 'waiver', amount_cents: 2_000 }],
  });
  const why = async () => (await stage.admin.get(`/api/invoices/${invoices[0]}/explain/`)).body.entries;
  const wentBack = { actor: { id: stage.world.admin.userId }, cause: { process: `refund/${body.refunds[0].id}` } };
  expect((await why()).slice(2)).toMatchObject([
    { ...wentBack, effect_cents: 2_000, cause: { ...wentBack.cause, kind: 'refund' } },
    { ...wentBack, effect_cents: -2_000, cause: { ...wentBack.cause, kind: 'discount' } },
  ]);
  // The bank returns the refund days later: the invoice is paid again, and the waiver is removed.
  await stage.platform.concludeRefund({ refund: body.refunds[0].gateway_refund_id, status: 'failed' });
  await becomes(body.refunds[0].id, 'failed');
  expect(await read(invoices[0])).toMatchObject({
    status: 'paid',
    balance_due_cents: 0,
    paid_cents: 5_000,
    discount_cents: 0,
  });
});

test('ten simultaneous refunds of one charge refund no more than the charge', async () => {
  const { invoices, intent } = await paid([5_000, 3_000]);
  const answers = await Promise.all(
    Array.from({ length: 10 }, (_, n) => backWhenThereIsRoom(invoices[n % 2], { amount_cents: 1_000 })),
  );
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(8);
  for (const { status, body } of answers.filter((one) => one.status !== 201))
    expect([status, body.code]).toEqual([
      409,
      expect.stringMatching(/^(nothing_to_refund|refund_exceeds_refundable)$/),
    ]);
  const ids = answers.flatMap(({ body }) => (body.refunds ?? []) as { id: string }[]);
  for (const { id } of ids) await becomes(id, 'succeeded');
  expect((await atGateway(intent)).reduce((sum, { amount }) => sum + amount, 0)).toBe(8_000);
});

test.each(['drop_before_capture', 'drop_after_capture', 'error_after_capture'])(
  'a refund whose answer is lost (%s) is looked up and made once',
  async (kind) => {
    const { invoices, intent } = await paid([5_000]);
    await stage.platform.fault({ kind, operation: 'refund', times: 2 });
    const { status, body } = await back(invoices[0], { amount_cents: 1_500 });
    expect([status, body.refunds[0].status]).toEqual([201, expect.stringMatching(/^(processing|succeeded)$/)]);
    await becomes(body.refunds[0].id, 'succeeded');
    expect((await atGateway(intent)).map(({ amount }) => amount)).toEqual([1_500]);
    expect(await read(invoices[0])).toMatchObject({ balance_due_cents: 1_500 });
  },
);

test('a refund that takes the bank days is reserved until its outcome is known', async () => {
  const { invoices, intent } = await paid([5_000], 'pm_card_pendingRefund');
  impatient();
  const { status, body } = await back(invoices[0], { amount_cents: 4_000 });
  expect([status, body]).toMatchObject([201, { refunds: [{ amount_cents: 4_000 }], invoice: { status: 'paid' } }]);
  await becomes(body.refunds[0].id, 'processing');
  expect(await back(invoices[0], { amount_cents: 1_001 })).toMatchObject({ status: 409 });
  const [made] = await atGateway(intent);
  await stage.platform.concludeRefund({ refund: made?.id as string, status: 'failed' });
  await becomes(body.refunds[0].id, 'failed');
  expect(await read(invoices[0])).toMatchObject({ status: 'paid', balance_due_cents: 0 });
  // The reservation is released.
  expect(await back(invoices[0], { amount_cents: 5_000 })).toMatchObject({ status: 201 });
});

test('a refund that the gateway refuses releases its reservation', async () => {
  const { invoices, intent } = await paid([5_000]);
  // Most of it is refunded at the gateway at the same moment, and that event may not have arrived yet.
  await stage.stripe.refunds.create({ payment_intent: intent, amount: 4_500 });
  const { body } = await back(invoices[0], { amount_cents: 1_000 });
  if (body.refunds) await becomes(body.refunds[0].id, 'failed');
  else expect(body.code).toBe('refund_exceeds_refundable');
  await eventually(
    () => read(invoices[0]),
    ({ balance_due_cents }) => balance_due_cents === 4_500,
  );
});

test('an officer refunds up to the limit, and splitting a refund does not evade it', async () => {
  const { invoices } = await paid([9_000, 4_000]);
  expect(await back(invoices[0], { amount_cents: 3_000 }, stage.officer)).toMatchObject({ status: 201 });
  expect(await back(invoices[0], { amount_cents: 1_000, waive: true }, stage.officer)).toMatchObject({ status: 403 });
  const both = await Promise.all([
    back(invoices[0], { amount_cents: 1_500 }, stage.officer),
    back(invoices[0], { amount_cents: 1_500 }, stage.officer),
  ]);
  expect(both.map(({ status }) => status).toSorted((one, two) => one - two)).toEqual([201, 202]);
  expect(both.find(({ status }) => status === 202)?.body).toMatchObject({ status: 'pending', amount_cents: 1_500 });
  expect(await back(invoices[0], { amount_cents: 501 }, stage.officer)).toMatchObject({
    status: 409,
    body: { code: 'refund_request_pending' },
  });
  // Another payer has a limit of their own.
  expect(await back(invoices[1], {}, stage.officer)).toMatchObject({ status: 201 });
});

test('an administrator decides a refund request of an officer, and it reserves nothing until then', async () => {
  const { invoices, intent } = await paid([12_000]);
  const pendingRequest = await back(invoices[0], { amount_cents: 8_000 }, stage.officer);
  expect(pendingRequest.status).toBe(202);
  expect(await atGateway(intent)).toEqual([]);
  const requests = `/api/organizations/${stage.world.organizationId}/refund-requests/`;
  const review = (body: object, as = stage.admin) => as.post(`${requests}${pendingRequest.body.id}/review/`, body);
  expect((await stage.officer.get(requests)).body).toMatchObject({
    count: 1,
    results: [{ id: pendingRequest.body.id }],
  });
  expect((await stage.admin.get(`/api/organizations/${stage.world.organizationId}/approvals/`)).body).toMatchObject([
    { kind: 'refund', count: 1 },
  ]);
  expect(await review({ decision: 'approve' }, stage.officer)).toMatchObject({ status: 403 });
  expect(await review({ decision: 'refuse' })).toMatchObject({
    status: 400,
    body: { errors: { notes: ['Give a reason.'] } },
  });
  // An administrator refunds most of it in the meantime: the approval checks again.
  expect(await back(invoices[0], { amount_cents: 5_000 })).toMatchObject({ status: 201 });
  expect(await review({ decision: 'approve' })).toMatchObject({
    status: 409,
    body: { code: 'refund_exceeds_refundable' },
  });
  const refused = await review({ decision: 'refuse', notes: 'Most of it went back.' });
  expect(refused).toMatchObject({ status: 200, body: { status: 'refused', review_notes: 'Most of it went back.' } });
  expect(await review({ decision: 'approve' })).toMatchObject({ status: 409, body: { code: 'request_closed' } });

  const again = await back(invoices[0], { amount_cents: 7_000 }, stage.officer);
  const decide = () => stage.admin.post(`${requests}${again.body.id}/review/`, { decision: 'approve' });
  const decided = await Promise.all([decide(), decide()]);
  expect(decided.map(({ status }) => status).toSorted((one, two) => one - two)).toEqual([200, 409]);
  const { results } = (await stage.admin.get(`/api/invoices/${invoices[0]}/refunds/`)).body;
  expect(results).toMatchObject([{ amount_cents: 5_000 }, { amount_cents: 7_000, request: again.body.id }]);
  await becomes(results[1].id, 'succeeded');
});

test("an administrator decides refunds of an officer's own invoice and those whose amounts are hidden", async () => {
  const { invoices } = await paid([1_000, 1_000], undefined, [stage.world.officer, stage.world.member]);
  expect(await back(invoices[0], {}, stage.officer)).toMatchObject({ status: 202, body: { amount_cents: 1_000 } });
  await asOwner(
    `INSERT INTO org_dues_settings (organization_id, officers_see_amounts) VALUES ($1, false)
     ON CONFLICT (organization_id) DO UPDATE SET officers_see_amounts = false`,
    [stage.world.organizationId],
  );
  expect(await back(invoices[1], { amount_cents: 1 }, stage.officer)).toMatchObject({
    status: 400,
    body: { errors: { amount_cents: [expect.anything()] } },
  });
  const pendingRequest = await back(invoices[1], {}, stage.officer);
  expect(pendingRequest).toMatchObject({ status: 202, body: { amount_cents: null } });
  const mine = `/api/organizations/${stage.world.organizationId}/refund-requests/${pendingRequest.body.id}/`;
  expect(await stage.platform.client(stage.other).get(mine)).toMatchObject({ status: 404 });
  expect(await stage.officer.post(`${mine}withdraw/`)).toMatchObject({ status: 200, body: { status: 'withdrawn' } });
  expect(await stage.officer.post(`${mine}withdraw/`)).toMatchObject({ status: 409, body: { code: 'request_closed' } });
  // The next one is another request.
  expect(await back(invoices[1], {}, stage.officer)).toMatchObject({ status: 202 });
});

test('a refund takes the newest payments first, manual ones as manual refunds and card payments on their charge', async () => {
  const { invoices } = await paid([5_000]);
  const id = invoices[0] as string;
  await stage.admin.post(`/api/invoices/${id}/adjust/`, { kind: 'fee', amount_cents: 2_000, reason: 'Late' });
  await stage.admin.post(`/api/invoices/${id}/payments/`, {
    amount_cents: 2_500,
    method: 'cash',
    reference: 'Receipt 4',
    received_on: '2026-01-05',
    idempotency_key: id,
  });
  // Five hundred of it became credit, which is refunded as credit.
  expect(await back(id)).toMatchObject({ status: 400, body: { errors: { reference: [expect.anything()] } } });
  const { status, body } = await back(id, { amount_cents: 3_000, reference: 'Cash, signed for' });
  expect([status, body]).toMatchObject([
    201,
    {
      refunds: [
        { amount_cents: 2_000, status: 'succeeded', gateway_refund_id: null, reference: 'Cash, signed for' },
        { amount_cents: 1_000, status: 'succeeded', gateway_refund_id: expect.any(String) },
      ],
      invoice: { balance_due_cents: 3_000, overpaid_cents: 500 },
    },
  ]);
});

test('an admin of another organization, another officer and a member cannot refund an invoice', async () => {
  const elsewhere = await aWorld({ members: 1 });
  const { invoices } = await paid([1_000]);
  const stranger = stage.platform.client({
    ...elsewhere.admin,
    token: await signIn(elsewhere.admin.userId, elsewhere.organizationId),
  });
  expect(await back(invoices[0], {}, stranger)).toMatchObject({ status: 404 });
  expect(await back(invoices[0], {}, stage.platform.client(stage.world.otherOfficer))).toMatchObject({ status: 404 });
  expect(await back(invoices[0], {}, stage.platform.client(stage.world.member))).toMatchObject({ status: 403 });
});
