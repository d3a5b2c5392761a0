/** The process that issues annual receipts: cancelled, and started by the Schedule to its end. */
import { type Relay, startRelay } from '../../activities/relay.js';
import { createWorkers, type Workers } from '../../activities/worker.js';
import { processId } from '../../api/processes/id.js';
import type { Catcher } from '../../development/standins/mail/catcher.js';
import { temporal } from '../../gateways/temporal/client.js';
import { scheduleId } from '../../gateways/temporal/schedules.js';
import { startMailServer, stopMailServer } from '../support/accountMail.js';
import { aFoundation, type Foundation } from '../support/foundation.js';
import { aGift, LAST_YEAR, lastYear } from '../support/gifts.js';
import { recordHistory } from '../support/histories.js';
import { asOwner } from '../support/owner.js';
import { eventually, type Platform, startPlatform } from '../support/platform.js';
import { deleteSchedules, restingSchedules } from '../support/schedules.js';
import { aWorld } from '../support/world.js';

let platform: Platform;
let catcher: Catcher;
let workers: Workers | undefined;
let running: Promise<void>;
let relay: Relay;

beforeAll(async () => {
  platform = await startPlatform({ worker: 'none' });
  catcher = await startMailServer();
  workers = await createWorkers(['bulk', 'notify']);
  running = workers.run();
  relay = startRelay();
});
afterAll(async () => {
  workers?.shutdown();
  await running;
  await relay.stop();
  await stopMailServer(catcher);
  await deleteSchedules();
  await platform.close();
});

interface Run {
  id: string;
  workflowId: string;
  foundation: Foundation;
  organizationId: string;
}

const path = '/api/foundation/annual-receipts/';

/** A foundation whose donors gave last year, and whose single receipts are mailed already. */
async function aYear(donors: number) {
  const world = await aWorld({ members: 1 });
  const foundation = await aFoundation(world);
  const { organizationId } = world;
  for (let n = 0; n < donors; n += 1) await aGift(organizationId, foundation, { at: lastYear() });
  const own = `WHERE organization_id = '${organizationId}'`;
  await asOwner(`UPDATE tax_receipts SET mail_status = 'mailed', mailed_at = now() ${own}`);
  await asOwner(`DELETE FROM outbox ${own} AND process = 'donationReceipt'`);
  return { foundation, organizationId };
}

/** A confirmed run. */
async function aRun(donors: number): Promise<Run> {
  const year = await aYear(donors);
  const admin = platform.client(year.foundation.admin);
  const { preview_hash } = (await admin.post(path, { tax_year: LAST_YEAR, dry_run: true })).body;
  const { status, body } = await admin.post(path, { tax_year: LAST_YEAR, preview_hash });
  expect([status, body.receipts_planned]).toEqual([202, donors]);
  return { ...year, id: body.id, workflowId: body.workflow_id };
}

const read = async ({ id, foundation }: Pick<Run, 'id' | 'foundation'>) =>
  (await platform.client(foundation.admin).get(`${path}${id}/`)).body;
const receiptsOf = ({ organizationId }: Pick<Run, 'organizationId'>) =>
  asOwner<{ id: string; donor_id: string; status: string; mail_status: string }>(
    `SELECT id, donor_id, status, mail_status FROM tax_receipts WHERE organization_id = $1 AND donation_id IS NULL`,
    [organizationId],
  );
const resultOf = (workflowId: string) => temporal().workflow.getHandle(workflowId).result();

test('a cancelled run ends between pages, and the receipts that it issued stay and are mailed', async () => {
  const run = await aRun(55);
  const admin = platform.client(run.foundation.admin);
  await eventually(
    () => receiptsOf(run),
    ({ length }) => length > 0,
  );
  expect((await admin.post(`/api/processes/${processId(run.workflowId)}/cancel/`)).status).toBe(200);
  await eventually(
    () => temporal().workflow.getHandle(run.workflowId).describe(),
    ({ status }) => status.name !== 'RUNNING',
    60,
  );
  const { status, receipts_issued } = await read(run);
  await recordHistory(run.workflowId, 'annualReceipts-cancelled');
  const receipts = await eventually(
    () => receiptsOf(run),
    (all) => all.every(({ mail_status }) => mail_status === 'mailed'),
    60,
  );
  expect([status, receipts_issued]).toEqual(['cancelled', 50]);
  expect(receipts).toHaveLength(50);
});

test('the Schedule starts a run for last year, which issues and mails each receipt', async () => {
  // Before 15 January no receipt is due; this test runs on any day.
  await asOwner(`CREATE OR REPLACE FUNCTION app.annual_receipt_year(p_day date) RETURNS int LANGUAGE sql IMMUTABLE AS
    $$ SELECT extract(year FROM p_day)::int - 1 $$`);
  const year = await aYear(2);
  await restingSchedules();
  const handle = temporal().schedule.getHandle(scheduleId('annual-receipts'));
  const { spec, policies } = await handle.describe();
  expect(spec.calendars?.[0]).toMatchObject({ hour: [expect.objectContaining({ start: 9 })] });
  expect(policies.catchupWindow).toBe(12 * 3_600_000);
  await handle.trigger();
  const { info } = await eventually(
    () => handle.describe(),
    (seen) => seen.info.recentActions.length > 0,
  );
  const started = info.recentActions[0]?.action as { workflow?: { workflowId: string } } | undefined;
  const workflowId = started?.workflow?.workflowId ?? '';
  expect(await resultOf(workflowId)).toBe('started');
  await recordHistory(workflowId, 'annualReceiptsEverywhere-starts-runs');
  const [run] = await asOwner<{ id: string }>('SELECT id FROM annual_receipt_runs WHERE organization_id = $1', [
    year.organizationId,
  ]);
  const id = run?.id as string;
  await eventually(
    () => read({ ...year, id }),
    (seen) => seen.status === 'issued',
    60,
  );
  expect(await resultOf(`annual-receipts/${id}`)).toBe('issued');
  await recordHistory(`annual-receipts/${id}`, 'annualReceipts-issued');
  expect((await receiptsOf(year)).map(({ mail_status }) => mail_status)).toEqual(['mailed', 'mailed']);
  const story = await platform
    .client(year.foundation.admin)
    .get(`/api/processes/${processId(`annual-receipts/${id}`)}/`);
  expect(story.body).toMatchObject({ status: 'completed', stage: 'issued', kind: 'annual_receipts' });
});
