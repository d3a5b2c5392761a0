import { processId } from '../../api/processes/id.js';
import { markOverdue } from '../../workflows/contracts/index.js';
import type { Client } from '../support/api.js';
import { recordHistory } from '../support/histories.js';
import { asOwner } from '../support/owner.js';
import { aPlatform, aProcessor, eventually } from '../support/platform.js';
import { anInvoice, aWorld, type World } from '../support/world.js';

const ADDRESS = '/api/processes/bulk-actions/';
const platform = aPlatform();
let world: World;
let admin: Client;

beforeEach(async () => {
  world = await aWorld({ members: 1 });
  await aProcessor(world);
  admin = platform.client(world.admin);
});

/** An intent whose start waits. @returns the id of its process */
async function anIntent({ organizationId }: World, day: string): Promise<string> {
  const workflowId = markOverdue.workflowId({ organizationId, day });
  await asOwner(
    `INSERT INTO outbox (organization_id, process, workflow_id, input, not_before)
     VALUES ($1, 'markOverdue', $2, $3, now() + interval '1 day')`,
    [organizationId, workflowId, { organizationId, day }],
  );
  return processId(workflowId);
}

/** A payment whose provider cannot be reached. @returns the id of its process */
async function aStuckPayment(): Promise<{ id: string; paying: Promise<unknown> }> {
  const { chapterId, member, officer } = world;
  const invoice = await anInvoice(world, { chapterId, membershipId: member.membershipId });
  const client = platform.client(officer);
  const allocations = [{ invoice, amount_cents: 10_000 }];
  const remittance = (await client.post('/api/billing/remittances/', { chapter: chapterId, allocations })).body.id;
  await platform.fault({ kind: 'drop_before_capture', times: 1_000, remittance_id: remittance });
  const paying = client.post(`/api/billing/remittances/${remittance}/pay/`, { payment_method: 'pm_card_visa' });
  const { results } = await eventually(
    async () => (await admin.get(`/api/processes/?subject=${remittance}&kind=remittance_payment`)).body,
    ({ count }) => count > 0,
  );
  const { id } = results[0];
  await eventually(
    async () => (await admin.get(`/api/processes/${id}/`)).body,
    ({ attempts }) => attempts > 1,
  );
  return { id, paying };
}

test('an administrator previews and retries processes in bulk, and reads what became of each', async () => {
  const { id: payment, paying } = await aStuckPayment();
  const marking = await anIntent(world, '2000-01-01');
  const called = await anIntent(world, '2000-01-02');
  const foreign = await anIntent(await aWorld({ members: 1 }), '2000-01-01');
  const ids = [payment, marking, called, foreign];
  const preview = async (action: string) => (await admin.post(ADDRESS, { action, dry_run: true, ids })).body;

  expect(await preview('cancel')).toMatchObject({
    ids: [marking, called],
    by_money_moved: { yes: 0, no: 2, unknown: 0 },
    left_out: [
      { id: payment, code: 'money_may_have_moved' },
      { id: foreign, code: 'gone' },
    ],
  });
  const { preview_hash, ...previewed } = await preview('retry');
  expect(previewed).toMatchObject({
    ids: [payment, marking, called],
    by_kind: [
      { kind: 'overdue_marking', count: 2 },
      { kind: 'remittance_payment', count: 1 },
    ],
    by_money_moved: { yes: 0, no: 2, unknown: 1 },
  });
  await admin.post(`/api/processes/${called}/cancel/`);
  const confirmed = await admin.post(ADDRESS, {
    action: 'retry',
    ids: previewed.ids,
    preview_hash,
    reason: 'The provider says that it is back.',
  });
  expect(confirmed.status).toBe(202);
  const { id, workflow_id } = confirmed.body;
  const { totals } = await eventually(
    async () => (await admin.get(`${ADDRESS}${id}/`)).body,
    ({ status }) => status === 'done',
  );
  expect(Object.values(totals as Record<string, number>).reduce((sum, count) => sum + count)).toBe(3);
  expect((await admin.get(`${ADDRESS}${id}/targets/`)).body.results).toMatchObject([
    { id: payment, label: 'Remittance of Alpha, 1 invoice', outcome: expect.stringMatching(/^attempt/), code: null },
    { id: marking, outcome: expect.stringMatching(/^(completed|progressed)$/) },
    { id: called, outcome: 'refused', code: 'process_finished' },
  ]);
  await platform.clearFaults();
  await paying;
  const shown = await eventually(
    async () => (await admin.get(`/api/processes/${processId(workflow_id)}/`)).body,
    ({ status }) => status === 'completed',
  );
  expect(shown).toMatchObject({ kind: 'bulk_action', stage: 'done', money_moved: 'no' });
  await recordHistory(workflow_id, 'bulkAction-done');
});
