/** Payments with two APIs and two workers, in production mode, behind a proxy and a pooler: money moves once, whichever process dies. */
import { temporal } from '../../gateways/temporal/client.js';
import { scheduleId } from '../../gateways/temporal/schedules.js';
import { SCHEDULES } from '../../workflows/schedules.js';
import { Client } from '../support/api.js';
import { expectSoundLedger } from '../support/ledger.js';
import { asOwner } from '../support/owner.js';
import { aProcessor, eventually } from '../support/platform.js';
import { anInvoice, aWorld, type World } from '../support/world.js';
import { type Deployment, end, startDeployment } from './deployment.js';
import { pay, remittancesOf } from './remittances.support.js';

let deployment: Deployment;
let world: World;
let other: World;

beforeAll(async () => {
  // The sweep is so rare that everything dispatched in time was announced by NOTIFY.
  deployment = await startDeployment({ apis: 2, workers: 2, environment: { RELAY_SWEEP_SECONDS: '300' } });
  world = await aWorld({ members: 3 });
  other = await aWorld({ members: 3 });
  await aProcessor(world);
});

afterAll(() => deployment.close());

const through = (person: { token: string }): Client => new Client(deployment.proxy.url, { token: person.token });
const { aDraft, drafts, captures, settled } = remittancesOf(() => ({ deployment, world }));

describe('payments', () => {
  test('payments are not lost when an API and a worker are killed during them, and the proxy uses the others', async () => {
    const ids = await drafts(10);
    const [doomedApi, doomedWorker] = [deployment.apis[0], deployment.workers[0]];
    if (!doomedApi || !doomedWorker) throw new Error('The deployment has no parts.');
    const paying = ids.map((id) => pay(through(world.officer), id).then(({ status }) => status));
    await eventually(
      async () => (await Promise.all(ids.map(captures))).reduce((sum, count) => sum + count, 0),
      (count) => count > 0,
    );
    await Promise.all([end(doomedApi, 'SIGKILL'), end(doomedWorker, 'SIGKILL')]);
    const statuses = await Promise.all(paying);
    expect(statuses.filter((status) => ![200, 409, 502, 503].includes(status))).toEqual([]);
    // As a person would: read the remittance, and pay it if it is still a draft.
    for (const id of ids)
      await eventually(
        () => payAgain(id),
        (status) => status === 'settled',
        200,
      );
    expect(await Promise.all(ids.map(captures))).toEqual(ids.map(() => 1));
    await expectSoundLedger();
    deployment.apis[0] = await deployment.startApi(Number(new URL(doomedApi.url).port));
    deployment.workers[0] = await deployment.startWorker();
  });

  async function payAgain(id: string): Promise<string> {
    const officer = through(world.officer);
    const { status } = (await officer.get(`/api/billing/remittances/${id}/`)).body;
    if (status === 'draft') await pay(officer, id);
    return status;
  }

  test('an outbox row of a request is announced through the pooler, and dispatched long before the next sweep', async () => {
    const id = await aDraft();
    await pay(through(world.officer), id);
    await settled(id);
    const [row] = await asOwner<{ id: string }>(
      `INSERT INTO outbox (organization_id, process, workflow_id, input, signal, request_id, not_before)
       SELECT organization_id, process, workflow_id, input, signal, NULL, now() FROM outbox WHERE workflow_id LIKE $1
        LIMIT 1 RETURNING id`,
      [`%${id}%`],
    );
    await eventually(
      async () => (await asOwner('SELECT dispatched_at FROM outbox WHERE id = $1', [row?.id]))[0]?.['dispatched_at'],
      (dispatched) => dispatched !== null,
      // The next sweep is five minutes away.
      60,
    );
  });
});

async function ownSchedules(): Promise<string[]> {
  const found: string[] = [];
  for await (const { scheduleId: id } of temporal().schedule.list()) if (id.startsWith(scheduleId(''))) found.push(id);
  return found;
}

test('a run of the schedule happens once, and each payer gets one mail', async () => {
  for (const { memberships, chapterId, organizationId, termId } of [world, other])
    for (const membershipId of memberships)
      await anInvoice({ organizationId, termId }, { chapterId, membershipId, dueIn: -2 });
  expect((await eventually(ownSchedules, ({ length }) => length >= SCHEDULES.length)).toSorted()).toEqual(
    SCHEDULES.map(({ id }) => scheduleId(id)).toSorted(),
  );
  // Paused: its own time would be another run.
  await temporal().schedule.getHandle(scheduleId('mark-overdue')).pause('This test counts.');
  await temporal().schedule.getHandle(scheduleId('mark-overdue')).trigger();
  const expected = world.memberships.length + other.memberships.length;
  // Other notifications of this file are mailed, too.
  const mails = () => deployment.mailbox.mails.list().filter(({ subject }) => subject.startsWith('Overdue'));
  await eventually(
    () => Promise.resolve(mails().length),
    (count) => count >= expected,
    60,
  );
  const { info } = await eventually(
    () => temporal().schedule.getHandle(scheduleId('mark-overdue')).describe(),
    ({ info: { runningActions } }) => runningActions.length === 0,
  );
  // The schedule's own time, on the full minute, may have come in the meantime: that is another run.
  const triggered = info.recentActions.filter(({ scheduledAt }) => scheduledAt.getTime() % 60_000 !== 0);
  expect(triggered).toHaveLength(1);
  const recipients = mails().map(({ to }) => to[0]);
  expect(recipients).toHaveLength(expected);
  expect(new Set(recipients).size).toBe(expected);
});

test('an API and a worker finish their work on SIGTERM and exit with success', async () => {
  const [api, worker] = [await deployment.startApi(), await deployment.startWorker()];
  expect(await Promise.all([end(api, 'SIGTERM'), end(worker, 'SIGTERM')])).toEqual([0, 0]);
});
