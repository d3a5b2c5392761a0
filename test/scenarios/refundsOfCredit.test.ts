/** Credit is refunded once, on the charges that it came from: on request, and when its owner leaves. */
import { MockActivityEnvironment } from '@temporalio/testing';
import { followTerminalSettlement } from '../../activities/finances/terminalSettlement.js';
import { config } from '../../config.js';
import { inTenant } from '../../models/database/tenancy.js';
import { followSettlement } from '../../models/finances/terminal-settlements/followSettlement.js';
import { eraseInOrganization } from '../../models/identity/deletion/eraseInOrganization.js';
import { recordHistory } from '../support/histories.js';
import { asOwner } from '../support/owner.js';
import { eventually } from '../support/platform.js';
import { listProcesses } from '../support/processList.js';
import { anInvoice } from '../support/world.js';
import { refunding } from './refunds.support.js';

const { stage, impatient, paid, read, atGateway, becomes, credit, creditBack, becameCredit } = refunding();

const sum = (amounts: number[]) => amounts.reduce((total, each) => total + each, 0);

test('credit is refunded on the charges that it came from, the newest first', async () => {
  const [older, newer] = await becameCredit([3_000, 2_000]);
  const { status, body } = await creditBack({ amount_cents: 2_500 });
  expect([status, body]).toMatchObject([
    201,
    {
      refunds: [
        { amount_cents: 2_000, status: 'succeeded', of_credit: true },
        { amount_cents: 500, status: 'succeeded' },
      ],
      available_cents: 2_500,
      reserved_cents: 0,
    },
  ]);
  expect((await atGateway(newer as string)).map(({ amount }) => amount)).toEqual([2_000]);
  expect((await atGateway(older as string)).map(({ amount }) => amount)).toEqual([500]);
  expect(await creditBack({ amount_cents: 2_501 })).toMatchObject({
    status: 409,
    body: { code: 'credit_not_available' },
  });
  expect((await creditBack()).body).toMatchObject({ available_cents: 0, reserved_cents: 0 });
  expect(await creditBack()).toMatchObject({ status: 409, body: { code: 'credit_not_available' } });
  expect(await stage.officer.post(credit('refund/'), { reason: 'She has left' })).toMatchObject({ status: 403 });
});

test('credit with a pending refund cannot be spent, and is available again when the bank returns it', async () => {
  const [intent] = await becameCredit([4_000], 'pm_card_pendingRefund');
  impatient();
  const { body } = await creditBack({ amount_cents: 3_000 });
  expect(body).toMatchObject({ refunds: [{ status: 'processing' }], available_cents: 1_000, reserved_cents: 3_000 });
  expect(await creditBack()).toMatchObject({ status: 409, body: { code: 'credit_refund_in_progress' } });
  const open = await anInvoice(stage.world, {
    chapterId: stage.world.chapterId,
    membershipId: stage.world.member.membershipId,
    cents: 4_000,
  });
  const spend = (amount_cents: number) =>
    stage.admin.post(`/api/invoices/${open}/adjust/`, { kind: 'credit', amount_cents, reason: 'She asks for it' });
  expect(await spend(1_001)).toMatchObject({ status: 409, body: { code: 'credit_not_available' } });
  expect(await spend(1_000)).toMatchObject({ status: 201 });
  const [made] = await atGateway(intent as string);
  await stage.platform.concludeRefund({ refund: made?.id as string, status: 'failed' });
  await becomes(body.refunds[0].id, 'failed');
  expect((await stage.admin.get(credit())).body).toMatchObject({ available_cents: 3_000, reserved_cents: 0 });
});

test('a refund of credit that the bank returns after its success is credit again', async () => {
  await becameCredit([4_000]);
  const { body } = await creditBack();
  expect(body).toMatchObject({ refunds: [{ status: 'succeeded' }], available_cents: 0 });
  await stage.platform.concludeRefund({ refund: body.refunds[0].gateway_refund_id, status: 'failed' });
  await becomes(body.refunds[0].id, 'failed');
  expect((await stage.admin.get(credit())).body).toMatchObject({ available_cents: 4_000 });
});

test('credit that came from a manual payment is refunded manually', async () => {
  const invoice = await anInvoice(stage.world, {
    chapterId: stage.world.chapterId,
    membershipId: stage.world.member.membershipId,
    cents: 100,
  });
  await stage.admin.post(`/api/invoices/${invoice}/payments/`, {
    amount_cents: 900,
    method: 'cash',
    reference: 'Receipt 9',
    received_on: '2026-01-05',
    idempotency_key: invoice,
  });
  expect(await creditBack()).toMatchObject({ status: 409, body: { code: 'credit_not_available' } });
  const byHand = { amount_cents: 800, reference: 'Check 12', note: 'Sent by post', reason: undefined };
  const both = await Promise.all([creditBack(byHand, 'refund/manual/'), creditBack(byHand, 'refund/manual/')]);
  expect(both.map(({ status }) => status).toSorted((one, two) => one - two)).toEqual([201, 409]);
  expect((await stage.admin.get(credit())).body).toMatchObject({
    available_cents: 0,
    results: [{ kind: 'refunded', amount_cents: 800, reason: 'Sent by post (Check 12)' }, { kind: 'issued' }],
  });
});

test('deleting an account pays open invoices from credit and refunds the rest, once no refund is pending', async () => {
  const { userId, membershipId } = stage.world.member;
  const leave = () => inTenant(stage.world.organizationId, () => eraseInOrganization(userId));
  const [intent] = await becameCredit([6_000]);
  const owed = { chapterId: stage.world.chapterId, membershipId };
  const [first, second] = [
    await anInvoice(stage.world, { ...owed, cents: 2_000 }),
    await anInvoice(stage.world, { ...owed, cents: 3_000 }),
  ];
  const [bank] = await becameCredit([500], 'pm_card_pendingRefund');
  impatient();
  const { body } = await creditBack({ amount_cents: 500 });
  await expect(leave()).rejects.toThrow('pending');
  const [made] = await atGateway(bank as string);
  await stage.platform.concludeRefund({ refund: made?.id as string, status: 'succeeded' });
  await becomes(body.refunds[0].id, 'succeeded');

  await leave();
  const paidFromCredit = { status: 'paid', payer_name: expect.stringContaining('First') };
  expect([await read(first), await read(second)]).toMatchObject([paidFromCredit, paidFromCredit]);
  const refundsMade = await eventually(
    () => atGateway(intent as string),
    ({ length }) => length > 0,
    60,
  );
  expect(refundsMade.map(({ amount }) => amount)).toEqual([1_000]);
  await eventually(
    async () => (await stage.admin.get(credit())).body,
    ({ reserved_cents }) => reserved_cents === 0,
    60,
  );
  await leave();
  expect(await atGateway(intent as string)).toHaveLength(1);
  expect((await stage.admin.get(credit())).body).toMatchObject({ available_cents: 0, shortfall_cents: 0 });
});

describe('ended memberships', () => {
  const becomesA = (status: string) =>
    stage.admin.patch(`/api/memberships/${stage.world.member.membershipId}/`, { status, reason: 'The term is over' });
  const settlement = () =>
    eventually(
      () =>
        asOwner<Row>('SELECT * FROM terminal_settlements WHERE membership_id = $1 ORDER BY id', [
          stage.world.member.membershipId,
        ]),
      (found) => found.length > 0 && found.every(({ finished_at }) => finished_at !== null),
      60,
    );
  interface Row {
    id: string;
    status: string;
    finished_at: Date | null;
  }

  test('the end of a membership pays open invoices from its credit and refunds the rest on its charges', async () => {
    const [older, newer] = await becameCredit([3_000, 2_000]);
    const due = await anInvoice(stage.world, {
      chapterId: stage.world.chapterId,
      membershipId: stage.world.member.membershipId,
      cents: 1_000,
    });
    expect((await becomesA('alumni')).status).toBe(200);
    expect(await settlement()).toMatchObject([{ status: 'refunded', requested_by: stage.world.admin.userId }]);
    expect(await read(due)).toMatchObject({ status: 'paid', credit_cents: 1_000 });
    expect((await atGateway(newer as string)).map(({ amount }) => amount)).toEqual([2_000]);
    expect((await atGateway(older as string)).map(({ amount }) => amount)).toEqual([2_000]);
    expect((await stage.admin.get(credit())).body).toMatchObject({ available_cents: 0, reserved_cents: 0 });
    const [{ id }] = (await settlement()) as [Row];
    await recordHistory(`terminal-settlement/${id}`, 'terminalSettlement-refunded');
    // Temporal's list of processes follows the end of a process with a delay.
    await eventually(
      async () => (await stage.admin.get(`/api/processes/?subject=${id}`)).body.results,
      ([process]) => process?.kind === 'terminal_settlement' && process.status === 'completed',
    );
    const follow = () =>
      new MockActivityEnvironment().run(followTerminalSettlement, {
        organizationId: stage.world.organizationId,
        settlementId: id,
      });
    expect([await follow(), await follow()]).toEqual([{ over: 'refunded' }, { over: 'refunded' }]);
    expect(await atGateway(newer as string)).toHaveLength(1);
  });

  test('the end of a membership refunds credit once, also with simultaneous refunds and status changes', async () => {
    const intents = await becameCredit([3_000, 2_000, 1_000]);
    const all = [
      creditBack({ amount_cents: 1_500 }),
      becomesA('alumni'),
      creditBack(),
      becomesA('active_alumni'),
      becomesA('lifetime_alumni'),
      creditBack({ amount_cents: 4_000 }),
    ];
    for (const { status } of await Promise.all(all)) expect([200, 201, 409]).toContain(status);
    await settlement();
    await eventually(
      async () => (await stage.admin.get(credit())).body,
      ({ reserved_cents }) => reserved_cents === 0,
      60,
    );
    expect((await stage.admin.get(credit())).body).toMatchObject({ available_cents: 0, shortfall_cents: 0 });
    const refundedCents = await Promise.all(
      intents.map(async (intent) => sum((await atGateway(intent)).map(({ amount }) => amount))),
    );
    expect(refundedCents).toEqual([3_000, 2_000, 1_000]);
  });

  test('a membership that is reactivated before its credit was refunded keeps the credit', async () => {
    Object.assign(config, { CREDIT_REFUND_DELAY_MINUTES: 60 });
    try {
      const [intent] = await becameCredit([3_000]);
      await becomesA('alumni');
      expect((await becomesA('undergrad')).status).toBe(200);
      const [{ id }] = (await asOwner<Row>('SELECT id FROM terminal_settlements WHERE membership_id = $1', [
        stage.world.member.membershipId,
      ])) as [Row];
      const step = await inTenant(stage.world.organizationId, () => followSettlement(id));
      expect(step).toEqual({ over: 'cancelled' });
      expect(await atGateway(intent as string)).toEqual([]);
      expect((await stage.admin.get(credit())).body).toMatchObject({ available_cents: 3_000 });

      // An administrator can keep it as well.
      await becomesA('alumni');
      const [again] = await asOwner<Row>(
        "SELECT id FROM terminal_settlements WHERE membership_id = $1 AND status = 'waiting'",
        [stage.world.member.membershipId],
      );
      const [process] = (await listProcesses(stage.admin, `subject=${again?.id}`)).results;
      // A process that begins just then would find the settlement cancelled in its row, and end before it is asked to.
      await eventually(
        async () => (await stage.admin.get(`/api/processes/${process.id}/`)).body,
        ({ waiting_for }) => waiting_for?.code === 'time',
      );
      expect((await stage.admin.post(`/api/processes/${process.id}/cancel/`)).status).toBe(200);
      expect((await settlement()).map(({ status }) => status)).toEqual(['cancelled', 'cancelled']);
      expect((await stage.admin.get(credit())).body).toMatchObject({ available_cents: 3_000 });
    } finally {
      Object.assign(config, { CREDIT_REFUND_DELAY_MINUTES: 0 });
    }
  });

  test('the end of a membership leaves credit of manual payments to the administrators, and inactivity changes nothing', async () => {
    const { invoices } = await paid([1_000]);
    await stage.admin.post(`/api/invoices/${invoices[0]}/refund/`, { reason: 'It is paid in cash' });
    await stage.admin.post(`/api/invoices/${invoices[0]}/payments/`, {
      amount_cents: 1_500,
      method: 'cash',
      reference: 'No. 9',
      received_on: '2026-01-15',
      idempotency_key: crypto.randomUUID(),
    });
    expect((await becomesA('inactive')).status).toBe(200);
    expect(
      await asOwner('SELECT FROM terminal_settlements WHERE membership_id = $1', [stage.world.member.membershipId]),
    ).toEqual([]);
    expect((await becomesA('disaffiliated')).status).toBe(200);
    const [{ id, status }] = (await settlement()) as [Row];
    expect(status).toBe('kept');
    await recordHistory(`terminal-settlement/${id}`, 'terminalSettlement-kept');
    expect((await stage.admin.get(credit())).body).toMatchObject({ available_cents: 500 });
    const listed = await eventually(
      async () => (await stage.admin.get('/api/notifications/')).body.results as { title: string }[],
      (all) => all.some(({ title }) => title === 'Credit of a member who has left'),
    );
    expect(JSON.stringify(listed)).toContain('5.00');
    const waits = async () =>
      (await stage.admin.get(`/api/organizations/${stage.world.organizationId}/money-cases/?kind=manual_refund_due`))
        .body.results;
    expect(await waits()).toMatchObject([{ status: 'open', settlement: id, amount_cents: 500 }]);
    const byHand = (cents: number) =>
      stage.admin.post(credit('refund/manual/'), { amount_cents: cents, reference: 'No. 10', note: 'In cash' });
    await byHand(200);
    expect(await waits()).toMatchObject([{ status: 'open', amount_cents: 300 }]);
    await byHand(300);
    expect(await waits()).toMatchObject([{ status: 'closed', resolution: 'agreed', closed_by: null }]);
  });
});
