/** Digests from the schedule to the mailbox: made once for a period, with what the reader may still see. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { MockActivityEnvironment } from '@temporalio/testing';
import { mailNextDigests, makeNextDigests } from '../../activities/notifications/digests.js';
import { startRelay } from '../../activities/relay.js';
import { createWorkers, type Workers } from '../../activities/worker.js';
import { config } from '../../config.js';
import type { Catcher } from '../../development/standins/mail/catcher.js';
import { summarize } from '../../gateways/ai/summarize.js';
import { closeTemporal, temporal } from '../../gateways/temporal/client.js';
import { scheduleId } from '../../gateways/temporal/schedules.js';
import { registerSearchAttributes } from '../../gateways/temporal/searchAttributes.js';
import { enqueue } from '../../models/database/outbox.js';
import { rows } from '../../models/database/rows.js';
import { inTenant } from '../../models/database/tenancy.js';
import { uuidv7 } from '../../models/database/uuid.js';
import { notificationDigests } from '../../workflows/contracts/notificationDigests.js';
import { startMailServer, stopMailServer } from '../support/accountMail.js';
import { apiWorld, expectNowhere } from '../support/apiWorld.js';
import { recordHistory } from '../support/histories.js';
import { asOwner } from '../support/owner.js';
import { eventually } from '../support/platform.js';
import { deleteSchedules, restingSchedules } from '../support/schedules.js';
import { countStatements } from '../support/statements.js';
import { aMember, type Person } from '../support/world.js';

const stage = apiWorld();
const PATH = '/api/notifications/digests/';
let mailbox: Catcher;
let person: Person;

beforeAll(async () => void (mailbox = await startMailServer()));
beforeEach(async () => {
  mailbox.mails.clear();
  await asOwner('DELETE FROM digest_preferences');
  await asOwner('DELETE FROM notification_digests');
  person = await aMember(stage.world.organizationId, stage.world.chapterId);
  await wants('daily');
});
afterAll(() => stopMailServer(mailbox));

const wants = (frequency: 'daily' | 'weekly', userId = person.userId) =>
  asOwner('INSERT INTO digest_preferences (organization_id, user_id, frequency) VALUES ($1, $2, $3)', [
    stage.world.organizationId,
    userId,
    frequency,
  ]);

/** Inserts a notification. @param ago hours before the instant at which the day's periods end */
async function insertNotification(
  day: string,
  ago: number,
  { title = 'A thing', action = null as string | null } = {},
): Promise<string> {
  const [row] = await asOwner<{ id: string }>(
    `INSERT INTO notifications (organization_id, recipient_id, event_id, notification_type, event_type, title, body, target_url,
       subject_type, subject_id, requires_action, action_label, created_at)
     VALUES ($1, $2, $3, 'something_new', 'event_updated', $4, 'Read it.', '/x', 'thing', $5, $6::text IS NOT NULL, $6,
       ($7::date + time '07:00') AT TIME ZONE 'UTC' - $8 * interval '1 hour') RETURNING id`,
    [stage.world.organizationId, person.userId, `thing:${uuidv7()}`, title, uuidv7(), action, day, ago],
  );
  return row?.id as string;
}

const inMock = (work: (given: never) => Promise<unknown>, given: object) =>
  new MockActivityEnvironment().run<[never], unknown, (given: never) => Promise<unknown>>(work, given as never);

async function run(day: string): Promise<void> {
  const input = { organizationId: stage.world.organizationId, day };
  await inMock(makeNextDigests, { ...input, after: null });
  await inMock(mailNextDigests, input);
}

const digests = () =>
  asOwner<{
    period_start: Date;
    period_end: Date;
    notification_count: number;
    sent_at: Date | null;
    unmailed_reason: string | null;
    summary: string | null;
  }>('SELECT * FROM notification_digests WHERE user_id = $1 ORDER BY period_start', [person.userId]);
const hours = (one: { period_start: Date; period_end: Date } | undefined) =>
  one ? (one.period_end.getTime() - one.period_start.getTime()) / 3_600_000 : null;

function aGate(): { opened: Promise<void>; open: () => void } {
  let open: () => void = () => undefined;
  return { opened: new Promise<void>((resolve) => (open = resolve)), open: () => open() };
}

// A Tuesday.
const TUESDAY = '2026-03-10';

test('a daily digest lists unread notifications of its day, those that require action first, and is mailed once', async () => {
  await insertNotification(TUESDAY, 25, { title: 'Too old' });
  await insertNotification(TUESDAY, 23, { title: 'First <b>' });
  await insertNotification(TUESDAY, 2, { title: 'Second', action: 'Pay' });
  const read = await insertNotification(TUESDAY, 1, { title: 'Read' });
  await asOwner('UPDATE notifications SET read_at = now() WHERE id = $1', [read]);
  await insertNotification(TUESDAY, -1, { title: 'Too new' });
  await run(TUESDAY);
  await run(TUESDAY);
  expect(await digests()).toMatchObject([{ notification_count: 2, sent_at: expect.any(Date) }]);
  const [mail, ...more] = mailbox.mails.list(person.email);
  expect(more).toEqual([]);
  expect(mail?.text).toMatch(/- Second \(Pay\), [^]*- First <b>, /);
  expect(mail?.html).toContain('First &lt;b&gt;');
  for (const absent of ['Too old', 'Too new', 'Read\n']) expect(mail?.text).not.toContain(absent);
  expect(mail?.headers['list-unsubscribe']).toContain('/api/notifications/unsubscribe/');
});

test('a period begins where the last digest ended, at most 14 days ago, and an empty period makes no digest', async () => {
  await insertNotification(TUESDAY, 2);
  await run(TUESDAY);
  await run('2026-03-11');
  await insertNotification('2026-03-13', 40);
  await run('2026-03-13');
  await insertNotification('2026-05-01', 2);
  await run('2026-05-01');
  expect((await digests()).map(hours)).toEqual([24, 72, 14 * 24]);
});

test('weekly digests are made on Mondays', async () => {
  await asOwner(`UPDATE digest_preferences SET frequency = 'weekly' WHERE user_id = $1`, [person.userId]);
  await insertNotification('2026-03-09', 100);
  await run('2026-03-08');
  expect(await digests()).toEqual([]);
  await run('2026-03-09');
  expect((await digests()).map(hours)).toEqual([7 * 24]);
});

test('a notification whose transaction began in a period is in its digest although it commits later', async () => {
  // The current period: transactions that are open now began before it ended.
  const day = new Date(Date.now() + 17 * 3_600_000).toISOString().slice(0, 10);
  const { organizationId } = stage.world;
  const [written, committing] = [aGate(), aGate()];
  const telling = inTenant(organizationId, async () => {
    await rows(
      `INSERT INTO notifications (organization_id, recipient_id, event_id, notification_type, event_type, title, subject_type, subject_id)
       VALUES ($1, $2, $3, 'something_new', 'event_updated', 'Late', 'thing', $4)`,
      [organizationId, person.userId, `thing:${uuidv7()}`, uuidv7()],
    );
    written.open();
    await committing.opened;
  });
  await written.opened;
  const made = inMock(makeNextDigests, { organizationId, day, after: null });
  await setTimeout(1_000);
  committing.open();
  await Promise.all([telling, made]);
  expect(await digests()).toMatchObject([{ notification_count: 1 }]);
});

test('two runs at once make one digest and one mail', async () => {
  await insertNotification(TUESDAY, 2);
  await Promise.all([run(TUESDAY), run(TUESDAY), run(TUESDAY)]);
  await run(TUESDAY);
  expect(await digests()).toHaveLength(1);
  expect(mailbox.mails.list(person.email)).toHaveLength(1);
});

test('a mail whose delivery is unknown is not sent again', async () => {
  await insertNotification(TUESDAY, 2);
  await run(TUESDAY);
  await asOwner('UPDATE notification_digests SET sent_at = NULL WHERE user_id = $1', [person.userId]);
  await asOwner(
    `UPDATE mail_messages SET outcome = NULL, concluded_at = NULL, claimed_at = now() - interval '3 minutes' WHERE recipient_id = $1`,
    [person.userId],
  );
  await run(TUESDAY);
  expect(mailbox.mails.list(person.email)).toHaveLength(1);
  expect(await digests()).toMatchObject([{ sent_at: null, unmailed_reason: 'no_answer' }]);
});

test.each([
  ['no_access', `UPDATE memberships SET status = 'inactive' WHERE user_id = $1`],
  ['preference_off', 'UPDATE digest_preferences SET frequency = NULL WHERE user_id = $1'],
  ['withdrawn', 'UPDATE notifications SET actor_id = recipient_id WHERE recipient_id = $1'],
])('a digest that lost its reason between making and mailing is not mailed: %s', async (reason, change) => {
  await insertNotification(TUESDAY, 2);
  const input = { organizationId: stage.world.organizationId, day: TUESDAY };
  await inMock(makeNextDigests, { ...input, after: null });
  await asOwner(change, [person.userId]);
  await run(TUESDAY);
  expect(await digests()).toMatchObject([{ sent_at: null, unmailed_reason: reason }]);
  expect(mailbox.mails.list(person.email)).toEqual([]);
});

test('quiet hours hold the mail of a digest', async () => {
  await asOwner(
    `INSERT INTO user_quiet_hours (user_id, enabled, start_time, end_time, timezone)
     VALUES ($1, true, (now() - interval '1 hour')::time, (now() + interval '2 hours')::time, 'UTC')`,
    [person.userId],
  );
  await insertNotification(TUESDAY, 2);
  await run(TUESDAY);
  expect(await digests()).toMatchObject([{ sent_at: null, unmailed_reason: null }]);
});

describe('digests and quiet hours', () => {
  const QUIET_HOURS = '/api/notifications/quiet-hours/';
  /** The time of day, UTC, this many hours from now. */
  const clock = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString().slice(11, 16);
  const NOW_QUIET = () => ({ enabled: true, start_time: clock(-1), end_time: clock(2), timezone: 'UTC' });
  const due = () =>
    asOwner<{ due: boolean }>('SELECT due_at <= now() AS due FROM notification_digests WHERE user_id = $1', [
      person.userId,
    ]);
  const woken = () =>
    asOwner<{ workflow_id: string; signal: string }>(
      `SELECT DISTINCT workflow_id, signal FROM outbox WHERE process = 'notificationDigests' AND dispatched_at IS NULL`,
    );

  beforeEach(async () => {
    await asOwner('DELETE FROM outbox');
    await stage.as(person).put(QUIET_HOURS, NOW_QUIET());
    await insertNotification(TUESDAY, 2);
  });

  test.each([
    ['are switched off', () => ({ enabled: false, timezone: 'UTC' })],
    ['move to another time', () => ({ start_time: clock(4), end_time: clock(6), timezone: 'UTC' })],
  ])('the mail of a digest that quiet hours hold is sent when they %s', async (_, change) => {
    await run(TUESDAY);
    expect(await due()).toEqual([{ due: false }]);
    expect((await stage.as(person).put(QUIET_HOURS, change())).status).toBe(200);
    expect(await due()).toEqual([{ due: true }]);
    const input = { organizationId: stage.world.organizationId, day: TUESDAY };
    expect(await woken()).toEqual([{ workflow_id: notificationDigests.workflowId(input), signal: 'due' }]);
    await inMock(mailNextDigests, input);
    expect(mailbox.mails.list(person.email)).toHaveLength(1);
  });

  test('the mail of a digest stays held when quiet hours change and are still on', async () => {
    await run(TUESDAY);
    await stage.as(person).put(QUIET_HOURS, { end_time: clock(3), timezone: 'UTC' });
    await inMock(mailNextDigests, { organizationId: stage.world.organizationId, day: TUESDAY });
    expect(await due()).toEqual([{ due: false }]);
    expect(mailbox.mails.list(person.email)).toEqual([]);
  });

  test('a mail that waits for the mail server is not sent earlier when quiet hours change', async () => {
    await run(TUESDAY);
    await asOwner(`UPDATE notification_digests SET held = false, due_at = now() + interval '5 minutes'`);
    await stage.as(person).put(QUIET_HOURS, { enabled: false, timezone: 'UTC' });
    expect(await due()).toEqual([{ due: false }]);
  });

  test('the mail of a digest that quiet hours hold is sent by the process that waits for it', async () => {
    await registerSearchAttributes();
    const workers = await createWorkers(['bulk']);
    const running = workers.run();
    const relay = startRelay();
    try {
      const input = { organizationId: stage.world.organizationId, day: TUESDAY };
      const workflowId = notificationDigests.workflowId(input);
      await inTenant(input.organizationId, () => enqueue(notificationDigests, { day: TUESDAY }));
      await eventually(digests, (list) => list.length === 1);
      expect(mailbox.mails.list(person.email)).toEqual([]);
      await stage.as(person).put(QUIET_HOURS, { enabled: false, timezone: 'UTC' });
      await eventually(
        async () => mailbox.mails.list(person.email),
        (list) => list.length === 1,
      );
      await eventually(
        () => temporal().workflow.getHandle(workflowId).describe(),
        ({ status }) => status.name === 'COMPLETED',
      );
      await recordHistory(workflowId, 'notificationDigests-released');
    } finally {
      workers.shutdown();
      await running;
      await relay.stop();
    }
  });
});

test('people read only their own digests, without notifications that were deleted', async () => {
  const deleted = await insertNotification(TUESDAY, 3, { title: 'Gone' });
  await insertNotification(TUESDAY, 2, { title: 'There' });
  await run(TUESDAY);
  await asOwner('DELETE FROM notifications WHERE id = $1', [deleted]);
  const me = stage.as(person);
  const { body } = await me.get(PATH);
  expect(body).toMatchObject({ count: 1, results: [{ notification_count: 2, frequency: 'daily', summary: null }] });
  const { id } = body.results[0];
  expect((await me.get(`${PATH}${id}/`)).body).toMatchObject({
    id,
    items: [{ title: 'There', target_url: '/x', action_label: null, category: 'events' }],
  });
  expect(await countStatements(() => me.get(PATH))).toBe(3);
  await expectNowhere(id, (it) => stage.member.get(`${PATH}${it}/`));
  expect((await stage.nobody.get(PATH)).status).toBe(401);
  expect((await stage.member.get(PATH)).body.count).toBe(0);
});

describe('summaries', () => {
  let service: Server;
  let requests: { body: string; key: string | undefined }[] = [];
  let says: string | null = 'All  is\nwell. ';
  let holds = false;
  beforeAll(async () => {
    service = createServer((request, response) => {
      let body = '';
      request.on('data', (chunk) => (body += String(chunk)));
      request.on('end', () => {
        requests.push({ body, key: request.headers.authorization });
        if (holds) response.write('{"choices":');
        else if (says === null) response.writeHead(500).end();
        else response.end(JSON.stringify({ choices: [{ message: { content: says } }] }));
      });
    });
    await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve));
    const { port } = service.address() as AddressInfo;
    Object.assign(config, { AI_URL: `http://127.0.0.1:${port}/v1`, AI_KEY: 'ai-key' });
  });
  beforeEach(() => (requests = []));
  afterAll(() => {
    Object.assign(config, { AI_URL: undefined, AI_KEY: undefined });
    service.close();
  });
  const allow = (allowed: boolean) =>
    asOwner(
      `INSERT INTO notification_settings (organization_id, ai_scope_notifications) VALUES ($1, $2)
       ON CONFLICT (organization_id) DO UPDATE SET ai_scope_notifications = excluded.ai_scope_notifications`,
      [stage.world.organizationId, allowed],
    );

  test('a summary is made of titles and counts alone, and only where the organization allows it', async () => {
    await insertNotification(TUESDAY, 2, { title: 'A title' });
    await allow(false);
    await run(TUESDAY);
    expect(requests).toEqual([]);
    await allow(true);
    await insertNotification('2026-03-11', 2, { title: 'Another title' });
    await run('2026-03-11');
    const [request] = requests;
    expect(request?.key).toBe('Bearer ai-key');
    expect(request?.body).toContain('Another title');
    for (const secret of ['Read it.', person.email, person.userId]) expect(request?.body).not.toContain(secret);
    expect((await digests()).map(({ summary }) => summary)).toEqual([null, 'All is well.']);
    expect(mailbox.mails.list(person.email)[1]?.text).toContain('All is well.');
  });

  test('a summary is cut at 600 characters, and a failing service does not prevent the digest', async () => {
    await allow(true);
    says = 'x'.repeat(700);
    await insertNotification(TUESDAY, 2);
    await run(TUESDAY);
    says = null;
    await insertNotification('2026-03-11', 2);
    await run('2026-03-11');
    says = '  ';
    await insertNotification('2026-03-12', 2);
    await run('2026-03-12');
    expect((await digests()).map(({ summary }) => summary?.length ?? null)).toEqual([600, null, null]);
    expect(mailbox.mails.list(person.email)).toHaveLength(3);
    await allow(false);
  });

  test('a summary is abandoned when the service does not finish its answer in time', async () => {
    holds = true;
    const connectionClosed = new Promise<void>((resolve) =>
      service.once('request', (_, response) => response.once('close', resolve)),
    );
    expect(await summarize({ titles: ['A title'], counts: { events: 1 } }, 200)).toBeNull();
    await connectionClosed;
    expect(requests).toHaveLength(1);
    holds = false;
  });
});

test('the schedule makes digests in every organization with a digest subscriber', async () => {
  await registerSearchAttributes();
  await restingSchedules();
  const workers: Workers = await createWorkers(['bulk']);
  const running = workers.run();
  try {
    const day = new Date(Date.now() - 7 * 3_600_000).toISOString().slice(0, 10);
    await insertNotification(day, 2, { title: 'By the schedule' });
    const schedule = temporal().schedule.getHandle(scheduleId('notification-digests'));
    await schedule.trigger();
    await eventually(
      async () => mailbox.mails.list(person.email),
      (list) => list.length === 1,
    );
    const id = notificationDigests.workflowId({ organizationId: stage.world.organizationId, day });
    await eventually(
      () => temporal().workflow.getHandle(id).describe(),
      ({ status }) => status.name === 'COMPLETED',
    );
    await recordHistory(id, 'notificationDigests-mailed');
    const [action] = (await schedule.describe()).info.recentActions;
    await recordHistory(action?.action.workflow.workflowId ?? '', 'notificationDigestsEverywhere-listed');
  } finally {
    await deleteSchedules();
    workers.shutdown();
    await running;
    await closeTemporal();
  }
});
