/** A refund request of an officer: its process reminds, expires, and ends with the decision. */
import { MockActivityEnvironment } from '@temporalio/testing';
import { followRefundRequest } from '../../activities/finances/refundRequest.js';
import { temporal } from '../../gateways/temporal/client.js';
import { inTenant } from '../../models/database/tenancy.js';
import { payByHand } from '../../models/finances/adjustments/payByHand.js';
import { apiWorld } from '../support/apiWorld.js';
import { recordHistory } from '../support/histories.js';
import { asOwner } from '../support/owner.js';
import { eventually } from '../support/platform.js';
import { queueWorkers } from '../support/queueWorkers.js';
import { anInvoice } from '../support/world.js';

const stage = apiWorld();
queueWorkers(['payments']);
const { world } = stage;

const list = (rest = '') => `/api/organizations/${world.organizationId}/refund-requests/${rest}`;

/** More than an officer may refund without a review, of what was paid in cash. */
async function aRefundRequest(): Promise<{ id: string; invoice: string }> {
  const invoice = await anInvoice(world, {
    chapterId: world.chapterId,
    membershipId: world.member.membershipId,
    cents: 9_000,
  });
  const origin = { userId: world.admin.userId, requestId: null, ipAddress: null };
  const payment = {
    amount_cents: 9_000,
    method: 'cash',
    reference: 'Receipt',
    received_on: '2026-01-05',
    idempotency_key: invoice,
  } as const;
  await inTenant(world.organizationId, () => payByHand(invoice, payment), { origin });
  const wanted = { reason: 'The event was cancelled', reference: 'Cash, signed for' };
  const { status, body } = await stage.officer.post(`/api/invoices/${invoice}/refund/`, wanted);
  expect([status, body]).toMatchObject([202, { status: 'pending', amount_cents: 9_000 }]);
  return { id: body.id, invoice };
}

const ended = (id: string) =>
  eventually(
    () =>
      temporal()
        .workflow.getHandle(`refund-request/${id}`)
        .describe()
        .catch(() => null),
    (seen) => seen?.status.name === 'COMPLETED',
    60,
  );
const follow = (id: string) =>
  new MockActivityEnvironment().run(followRefundRequest, { organizationId: world.organizationId, requestId: id });
const notificationTypes = async (id: string) =>
  (
    await asOwner<{ type: string }>(
      'SELECT notification_type AS type FROM notifications WHERE subject_id = $1 AND recipient_id = $2',
      [id, world.admin.userId],
    )
  ).map(({ type }) => type);

test('the process of a refund request ends with the decision', async () => {
  const { id, invoice } = await aRefundRequest();
  await eventually(
    async () => (await stage.admin.get(`/api/processes/?subject=${id}`)).body,
    ({ results }) => results[0]?.stage === 'waiting',
    60,
  );
  const approve = { decision: 'approve', notes: 'She is right.' };
  expect(await stage.admin.post(list(`${id}/review/`), approve)).toMatchObject({
    status: 200,
    body: { status: 'approved', reviewed_by: world.admin.userId },
  });
  await ended(id);
  await recordHistory(`refund-request/${id}`, 'refundRequest-approved');
  expect((await stage.member.get(`/api/invoices/${invoice}/refunds/`)).body).toMatchObject({
    count: 1,
    results: [{ request: id, amount_cents: 9_000, status: 'succeeded' }],
  });
});

test('cancelling the process of a refund request withdraws the request', async () => {
  const { id } = await aRefundRequest();
  const { results } = await eventually(
    async () => (await stage.admin.get(`/api/processes/?subject=${id}`)).body,
    ({ results: found }) => found[0]?.stage === 'waiting',
    60,
  );
  expect((await stage.admin.post(`/api/processes/${results[0].id}/cancel/`)).status).toBeLessThan(300);
  expect((await stage.admin.get(list(`${id}/`))).body).toMatchObject({ status: 'withdrawn' });
});

test('the reviewers are reminded once after three days, and the request expires after thirty', async () => {
  const { id } = await aRefundRequest();
  const age = (days: number) =>
    asOwner(`UPDATE refund_requests SET created_at = now() - $2 * interval '1 day' WHERE id = $1`, [id, days]);
  expect(await follow(id)).toMatchObject({ reminded: false });
  await age(3);
  expect([await follow(id), await follow(id)]).toMatchObject([{ reminded: true }, { reminded: true }]);
  expect(await notificationTypes(id)).toEqual(['refund_requested', 'refund_requested']);
  await age(30);
  expect([await follow(id), await follow(id)]).toEqual([{ over: 'expired' }, { over: 'expired' }]);
  expect(await stage.admin.post(list(`${id}/review/`), { decision: 'approve' })).toMatchObject({
    status: 409,
    body: { code: 'request_closed' },
  });
  expect(JSON.stringify((await stage.officer.get('/api/notifications/?page_size=100')).body)).toContain('expired');
});
