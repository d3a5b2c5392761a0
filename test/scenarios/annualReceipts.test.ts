/** The process that issues annual receipts: cancelled, and started by the Schedule to its end. */
import { type Relay, startRelay } from '../../activities/relay.js';
import { createWorkers, type Workers } from '../../activities/worker.js';
import { processId } from '../../api/processes/id.js';
import type { Catcher } from '../../development/standins/mail/catcher.js';
import { temporal } from '../../gateways/temporal/client.js';
import { scheduleId } from '../../gateways/temporal/schedules.js';
import { startMailServer, stopMailServer } from '../support/accountMail.js';
import { recordHistory } from '../support/histories.js';
import { annualReceiptsOf, aRun, aYear, readRun } from '../support/annualReceipts.js';
import { asOwner } from '../support/owner.js';
import { eventually, type Platform, startPlatform } from '../support/platform.js';
import { deleteSchedules, restingSchedules } from '../support/schedules.js';

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

const resultOf = (workflowId: string) => temporal().workflow.getHandle(workflowId).result();

test('a cancelled run ends between pages, and the receipts that it issued stay and are mailed', async () => {
  const run = await aRun(platform, 55);
  const admin = platform.client(run.foundation.admin);
  await eventually(
    () => annualReceiptsOf(run),
    ({ length }) => length > 0,
  );
  expect((await admin.post(`/api/processes/${processId(run.workflowId)}/cancel/`)).status).toBe(200);
  await eventually(
    () => temporal().workflow.getHandle(run.workflowId).describe(),
    ({ status }) => status.name !== 'RUNNING',
    60,
  );
  const { status, receipts_issued } = await readRun(platform, run);
  await recordHistory(run.workflowId, 'annualReceipts-cancelled');
  const receipts = await eventually(
    () => annualReceiptsOf(run),
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
    () => readRun(platform, { ...year, id }),
    (seen) => seen.status === 'issued',
    60,
  );
  expect(await resultOf(`annual-receipts/${id}`)).toBe('issued');
  await recordHistory(`annual-receipts/${id}`, 'annualReceipts-issued');
  expect((await annualReceiptsOf(year)).map(({ mail_status }) => mail_status)).toEqual(['mailed', 'mailed']);
  const story = await platform
    .client(year.foundation.admin)
    .get(`/api/processes/${processId(`annual-receipts/${id}`)}/`);
  expect(story.body).toMatchObject({ status: 'completed', stage: 'issued', kind: 'annual_receipts' });
});
