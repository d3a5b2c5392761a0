/** Scheduled runs that come due while a server or every worker is away: they happen once when it is back. */
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ScheduleOverlapPolicy } from '@temporalio/client';
import { config } from '../../config.js';
import { closeTemporal, temporal } from '../../gateways/temporal/client.js';
import { scheduleId, upsertSchedules } from '../../gateways/temporal/schedules.js';
import { terminalSettlement } from '../../workflows/contracts/index.js';
import { SCHEDULES } from '../../workflows/schedules.js';
import { asOwner } from '../support/owner.js';
import { eventually } from '../support/platform.js';
import { aWaitingSettlement } from '../support/settlements.js';
import { type OwnStack, startOwnStack } from '../support/stack/ownStack.js';
import { anInvoice, aWorld, type World } from '../support/world.js';

let stack: OwnStack;
let world: World;

beforeAll(async () => {
  stack = await startOwnStack();
  await closeTemporal();
  Object.assign(config, { TEMPORAL_ADDRESS: stack.settings.temporalAddress, TEMPORAL_TASK_QUEUE_PREFIX: '' });
  world = await aWorld({ members: 1 });
});

afterAll(async () => {
  await closeTemporal();
  await stack.close();
});

const schedule = () => temporal().schedule.getHandle(scheduleId('mark-overdue'));
const info = async () => (await schedule().describe()).info;
const anOverdueInvoice = () =>
  anInvoice(world, { chapterId: world.chapterId, membershipId: world.member.membershipId, dueIn: -2 });
const overdue = async () => (await asOwner("SELECT id FROM chapter_invoices WHERE status = 'overdue'")).length;
const notices = () =>
  asOwner<{ outcome: string | null }>("SELECT outcome FROM notification_deliveries WHERE channel = 'email'");

/** The next full minute that leaves enough time to stop a server before it. */
function nextMinute(): Date {
  const minute = 60_000;
  return new Date(Math.ceil((Date.now() + 20_000) / minute) * minute);
}

test('a run that came due while Temporal was down happens once when it is back', async () => {
  const mailed = (await stack.mails()).length;
  const due = nextMinute();
  const [definition] = SCHEDULES;
  if (!definition) throw new Error('There is no schedule.');
  const usual = definition.calendars;
  definition.calendars = [{ minute: due.getUTCMinutes(), hour: '*' }];
  await upsertSchedules();
  // The server applies a change in the background.
  await eventually(info, ({ nextActionTimes }) => nextActionTimes[0]?.getTime() === due.getTime());
  // Only now: until here its usual time may have come.
  await anOverdueInvoice();
  await stack.stop('temporal');
  expect(Date.now()).toBeLessThan(due.getTime());
  await sleep(due.getTime() + 3_000 - Date.now());
  expect(await overdue()).toBe(0);
  await stack.start('temporal');

  await eventually(overdue, (count) => count === 1, 60);
  await eventually(notices, (rows) => rows.length === 1 && rows[0]?.outcome === 'sent', 60);
  // Another run would come within a second of the first.
  await sleep(3_000);
  const { recentActions, numActionsMissedCatchupWindow } = await info();
  const since = recentActions.map(({ scheduledAt }) => scheduledAt).filter((at) => at >= due);
  expect(since).toEqual([due]);
  expect(numActionsMissedCatchupWindow).toBe(0);
  expect((await stack.mails()).length - mailed).toBe(1);
  definition.calendars = usual;
  await upsertSchedules();
});

test('runs that come due while there is no worker do not accumulate: the next worker does one', async () => {
  await stack.stop('worker');
  // A run at its usual time would be one more.
  await schedule().pause('This test counts.');
  const [before, marked] = [await info(), await overdue()];
  await anOverdueInvoice();
  for (let n = 1; n <= 3; n += 1) {
    // Like a run that comes due; a manual trigger would not check whether one runs.
    await schedule().trigger(ScheduleOverlapPolicy.SKIP);
    await eventually(info, ({ numActionsTaken, numActionsSkippedOverlap }) => {
      const seen = numActionsTaken + numActionsSkippedOverlap;
      return seen - before.numActionsTaken - before.numActionsSkippedOverlap === n;
    });
  }
  await stack.start('worker');
  await eventually(overdue, (count) => count === marked + 1, 60);
  const after = await eventually(info, ({ runningActions }) => runningActions.length === 0);
  expect(after.numActionsTaken - before.numActionsTaken).toBe(1);
  expect(after.numActionsSkippedOverlap - before.numActionsSkippedOverlap).toBe(2);
  await schedule().unpause();
});

test('a process that sleeps during a deployment continues under the next release', async () => {
  const settlementId = await aWaitingSettlement(world, 20);
  const input = { organizationId: world.organizationId, settlementId };
  const workflowId = terminalSettlement.workflowId(input);
  await asOwner('INSERT INTO outbox (organization_id, process, workflow_id, input) VALUES ($1, $2, $3, $4)', [
    world.organizationId,
    terminalSettlement.name,
    workflowId,
    JSON.stringify(input),
  ]);
  await eventually(
    async () => (await releasesOf(workflowId)).sleeping,
    (sleeping) => sleeping,
    30,
  );
  await stack.stop('worker');
  const next = path.join(stack.settings.dataDir, 'next-release.js');
  // At the beginning: the worker takes the end of the file for the bundle's source map.
  writeFileSync(next, `/* The next release. */${readFileSync(config.WORKFLOW_BUNDLE as string, 'utf8')}`);
  await stack.start('worker', { WORKFLOW_BUNDLE: next });

  await eventually(
    () => progressOf(workflowId),
    ({ status }) => status === 'COMPLETED',
    60,
  );
  expect((await releasesOf(workflowId)).releases.size).toBe(2);
  expect(await asOwner('SELECT status FROM terminal_settlements WHERE id = $1', [settlementId])).toEqual([
    { status: 'refunded' },
  ]);
});

/** The progress of a process, in short form, so that a failure shows what it waits for. */
async function progressOf(workflowId: string) {
  const { status, raw } = await temporal().workflow.getHandle(workflowId).describe();
  const { pendingWorkflowTask, pendingActivities } = raw;
  return { status: status.name, pendingWorkflowTask, pendingActivities };
}

/** Returns the releases of the workflow code that took part, and whether a timer runs. */
async function releasesOf(workflowId: string): Promise<{ releases: Set<string>; sleeping: boolean }> {
  try {
    const { events } = await temporal().workflow.getHandle(workflowId).fetchHistory();
    const list = events ?? [];
    const builds = list.map((event) => event.workflowTaskCompletedEventAttributes?.workerVersion?.buildId);
    const timers = list.filter((event) => event.timerStartedEventAttributes).length;
    const fired = list.filter((event) => event.timerFiredEventAttributes).length;
    return { releases: new Set(builds.flatMap((build) => build ?? [])), sleeping: timers > fired };
  } catch {
    // The process has not started yet.
    return { releases: new Set(), sleeping: false };
  }
}
