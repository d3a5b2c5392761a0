import { inTenant } from '../../../models/database/tenancy.js';
import { uuidv7 } from '../../../models/database/uuid.js';
import { claimDeliveries } from '../../../models/notifications/deliveries/claimDeliveries.js';
import { dueDeliveries } from '../../../models/notifications/deliveries/dueDeliveries.js';
import { apiWorld } from '../../support/apiWorld.js';
import { asOwner } from '../../support/owner.js';
import { aMember, type Person } from '../../support/world.js';
import { aNotification } from './world.support.js';

const stage = apiWorld();
const PATH = '/api/notifications/quiet-hours/';
const NIGHT = { enabled: true, start_time: '23:15', end_time: '06:45', timezone: 'Australia/Lord_Howe' };

let person: Person;
beforeEach(async () => void (person = await aMember(stage.world.organizationId, stage.world.chapterId)));
const me = () => stage.as(person);

test("quiet hours are off by default and use the organization's time zone", async () => {
  const usual = { enabled: false, start_time: '22:00', end_time: '07:00', version: 1 };
  expect((await me().get(PATH)).body).toMatchObject(usual);
  expect((await me().get(PATH)).body).toEqual({ ...usual, timezone: 'UTC' });
});

test('concurrent first reads all succeed', async () => {
  const answers = await Promise.all(Array.from({ length: 4 }, () => me().get(PATH)));
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
});

test('quiet hours are changed, and a change with a stale version is a conflict', async () => {
  expect(await me().put(PATH, NIGHT)).toMatchObject({ status: 200, body: { ...NIGHT, version: 2 } });
  expect(await me().put(PATH, { ...NIGHT, version: 1 })).toMatchObject({ status: 409 });
  expect((await me().get(PATH)).body).toMatchObject(NIGHT);
});

test('fields that a change omits stay', async () => {
  await me().put(PATH, NIGHT);
  const { timezone } = NIGHT;
  expect(await me().put(PATH, { enabled: false, timezone })).toMatchObject({
    status: 200,
    body: { ...NIGHT, enabled: false },
  });
  expect(await me().put(PATH, { enabled: true, end_time: '08:00', timezone: 'UTC' })).toMatchObject({
    status: 200,
    body: { ...NIGHT, end_time: '08:00', timezone: 'UTC' },
  });
  expect((await me().put(PATH, { timezone })).body).toMatchObject({ ...NIGHT, end_time: '08:00' });
});

test('a start time equal to the stored end time is refused', async () => {
  await me().put(PATH, NIGHT);
  const refused = await me().put<{ errors: object }>(PATH, { start_time: NIGHT.end_time, timezone: 'UTC' });
  expect([refused.status, Object.keys(refused.body.errors)]).toEqual([400, ['end_time']]);
});

test.each([
  [{ ...NIGHT, end_time: '23:15' }, 'end_time'],
  [{ ...NIGHT, start_time: '24:00' }, 'start_time'],
  [{ ...NIGHT, start_time: '9:00' }, 'start_time'],
  [{ ...NIGHT, timezone: 'Mars/Olympus' }, 'timezone'],
  [{ ...NIGHT, timezone: '+05:00' }, 'timezone'],
  [{ enabled: true }, 'timezone'],
  [{ ...NIGHT, snooze: 5 }, 'snooze'],
])('%j is refused', async (body, field) => {
  const refused = await me().put<{ errors: object }>(PATH, body);
  expect([refused.status, Object.keys(refused.body.errors)]).toEqual([400, [field]]);
});

test('held deliveries are decided again when the quiet hours change', async () => {
  const id = await aNotification({ organizationId: stage.world.organizationId, to: person.userId });
  await asOwner(
    `UPDATE notification_deliveries SET held = true, due_at = now() + interval '8 hours' WHERE notification_id = $1`,
    [id],
  );
  await asOwner('DELETE FROM outbox WHERE organization_id = $1', [stage.world.organizationId]);
  await me().put(PATH, { ...NIGHT, enabled: false });
  expect(
    await asOwner('SELECT due_at <= now() AS due FROM notification_deliveries WHERE notification_id = $1', [id]),
  ).toEqual([{ due: true }]);
  expect(await asOwner('SELECT process FROM outbox WHERE organization_id = $1', [stage.world.organizationId])).toEqual([
    { process: 'notificationDelivery' },
  ]);
});

test('the answer to a change already shows until when held notifications wait', async () => {
  const { organizationId } = stage.world;
  const id = await aNotification({ organizationId, to: person.userId, event: 'event_updated' });
  await asOwner('UPDATE notification_deliveries SET held = true WHERE notification_id = $1', [id]);
  const begun = Date.now();
  const clock = (hours: number) => new Date(begun + hours * 3_600_000).toISOString().slice(11, 16);
  const until = async () => {
    const { body } = await me().get<{ results: { scheduled_for: string | null }[] }>('/api/notifications/');
    return body.results[0]?.scheduled_for ?? null;
  };
  const night = { enabled: true, start_time: clock(-1), end_time: clock(3), timezone: 'UTC' };
  await me().put(PATH, night);
  expect((await until())?.slice(11, 16)).toBe(night.end_time);
  await me().put(PATH, { ...night, end_time: clock(2) });
  expect((await until())?.slice(11, 16)).toBe(clock(2));
  await me().put(PATH, { ...night, enabled: false });
  expect(await until()).toBeNull();
});

test('a change during the release of held deliveries neither loses nor repeats one', async () => {
  const { organizationId } = stage.world;
  const ids: string[] = [];
  for (let n = 0; n < 6; n += 1)
    ids.push(await aNotification({ organizationId, to: person.userId, event: 'event_updated' }));
  await asOwner('UPDATE notification_deliveries SET held = true WHERE recipient_id = $1', [person.userId]);
  const claimed: string[] = [];
  const release = async () => {
    const found = await inTenant(organizationId, () => claimDeliveries('email', 2));
    claimed.push(...found.claimed.map(({ notificationId }) => notificationId).filter((id) => ids.includes(id)));
  };
  const change = () => me().put(PATH, { ...NIGHT, enabled: false });
  await Promise.all([release(), change(), release(), change(), release(), change()]);
  for (let n = 0; n < 4; n += 1) await release();
  expect(claimed.toSorted()).toEqual(ids.toSorted());
});

test('quiet hours hold a notification for at most a day', async () => {
  const { organizationId } = stage.world;
  const [held, old] = [
    await aNotification({ organizationId, to: person.userId, event: 'event_updated' }),
    await aNotification({ organizationId, to: person.userId, event: 'event_updated' }),
  ];
  // A window that never ends: from a minute ago to two minutes ago.
  await asOwner(
    `INSERT INTO user_quiet_hours (user_id, enabled, start_time, end_time, timezone)
     VALUES ($1, true, (now() - interval '1 minute')::time, (now() - interval '2 minutes')::time, 'UTC')`,
    [person.userId],
  );
  await asOwner(
    `UPDATE notifications SET created_at = now() - CASE WHEN id = $1 THEN interval '20 hours' ELSE interval '25 hours' END
      WHERE recipient_id = $2`,
    [held, person.userId],
  );
  const { claimed } = await inTenant(organizationId, () => claimDeliveries('email', 500));
  expect(claimed.filter(({ recipientId }) => recipientId === person.userId)).toMatchObject([{ notificationId: old }]);
  expect(
    await asOwner(
      `SELECT d.due_at = n.created_at + interval '24 hours' AS after_a_day, n.scheduled_for = d.due_at AS said
         FROM notification_deliveries d JOIN notifications n ON n.id = d.notification_id WHERE n.id = $1`,
      [held],
    ),
  ).toEqual([{ after_a_day: true, said: true }]);
});

test('a delivery held during a change is decided again when due deliveries are listed', async () => {
  const { organizationId } = stage.world;
  const id = await aNotification({ organizationId, to: person.userId, event: 'event_updated' });
  await me().put(PATH, { ...NIGHT, enabled: false });
  // Written by a process that had read the hours before the change.
  await asOwner(
    `UPDATE notification_deliveries SET held = true, due_at = now() + interval '8 hours' WHERE notification_id = $1`,
    [id],
  );
  expect(await dueDeliveries()).toContainEqual({ organizationId, channel: 'email' });
  expect(
    await asOwner('SELECT due_at <= now() AS due FROM notification_deliveries WHERE notification_id = $1', [id]),
  ).toEqual([{ due: true }]);
});

/** Returns the end of the quiet hours that contain a moment, else null. */
async function quietUntil(start: string, end: string, zone: string, at: string): Promise<string | null> {
  const { userId } = await aMember(stage.world.organizationId, stage.world.chapterId);
  await asOwner(
    'INSERT INTO user_quiet_hours (id, user_id, enabled, start_time, end_time, timezone) VALUES ($1, $2, true, $3, $4, $5)',
    [uuidv7(), userId, start, end, zone],
  );
  const [row] = await asOwner<{ until: Date | null }>('SELECT app.quiet_until($1, $2) AS until', [userId, at]);
  return row?.until?.toISOString() ?? null;
}

test.each([
  ['over midnight, before it', '22:00', '07:00', 'UTC', '2026-03-01T23:00:00Z', '2026-03-02T07:00:00.000Z'],
  ['over midnight, after it', '22:00', '07:00', 'UTC', '2026-03-02T06:59:59Z', '2026-03-02T07:00:00.000Z'],
  ['its end is not in it', '22:00', '07:00', 'UTC', '2026-03-02T07:00:00Z', null],
  ['its beginning is', '22:00', '07:00', 'UTC', '2026-03-01T22:00:00Z', '2026-03-02T07:00:00.000Z'],
  [
    'in a zone that Postgres knows no more',
    '22:00',
    '07:00',
    'Mars/Olympus',
    '2026-03-01T23:00:00Z',
    '2026-03-02T07:00:00.000Z',
  ],
  ['within a day', '12:00', '13:00', 'UTC', '2026-03-01T12:30:00Z', '2026-03-01T13:00:00.000Z'],
  // 2026-03-08 in New York: 02:00 becomes 03:00. The end at 02:30 does not exist and moves to 03:30 (07:30 UTC).
  ['an end that is skipped', '22:00', '02:30', 'America/New_York', '2026-03-08T06:00:00Z', '2026-03-08T07:30:00.000Z'],
  // 2026-11-01 in New York: 01:30 occurs twice; the window ends at the first (05:30 UTC).
  ['an end that comes twice', '22:00', '01:30', 'America/New_York', '2026-11-01T05:00:00Z', '2026-11-01T05:30:00.000Z'],
  ['between the two', '22:00', '01:30', 'America/New_York', '2026-11-01T06:00:00Z', null],
  // 2026-04-05 in Lord Howe: 02:00 becomes 01:30 again; the first 01:45 is 14:45 UTC of the day before.
  ['half an hour twice', '22:00', '01:45', 'Australia/Lord_Howe', '2026-04-04T14:00:00Z', '2026-04-04T14:45:00.000Z'],
  // 2026-10-04 in Lord Howe: 02:00 becomes 02:30.
  ['half an hour skipped', '22:00', '02:15', 'Australia/Lord_Howe', '2026-10-03T15:00:00Z', '2026-10-03T15:45:00.000Z'],
])('quiet hours end right: %s', async (_, start, end, zone, at, until) => {
  expect(await quietUntil(start, end, zone, at)).toBe(until);
});
