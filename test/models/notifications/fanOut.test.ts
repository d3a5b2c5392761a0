/** A fan-out notifies its audience batch by batch, and stores its progress. */
import '../../../models/wireAreas.js';
import { inPlatform, inTenant } from '../../../models/database/tenancy.js';
import { fanOutNextBatch, cancelFanout, withdrawNextBatch } from '../../../models/notifications/fanouts/fanOut.js';
import { claimDeliveries } from '../../../models/notifications/deliveries/claimDeliveries.js';
import { publishAlert } from '../../../models/platform/alerts/publishAlert.js';
import { asOwner, closeOwner } from '../../support/owner.js';
import { aMember, aWorld, type World } from '../../support/world.js';

let world: World;
let fanoutId: string;
let alertId: string;

beforeEach(async () => {
  world = await aWorld({ members: 1 });
  for (let n = 0; n < 4; n += 1) await aMember(world.organizationId, world.chapterId);
  ({ id: alertId } = await inPlatform(() =>
    publishAlert({ title: 'Maintenance', body: 'Tonight.', audience: 'everyone' }, world.admin.userId),
  ));
  const [fanout] = await asOwner<{ id: string }>(
    `INSERT INTO notification_fanouts (organization_id, notification_type, subject_id, cause, audience, audience_id, expected)
     VALUES ($1, 'platform_alert', $2, 'published', 'everyone', $1, 9) RETURNING id`,
    [world.organizationId, alertId],
  );
  fanoutId = fanout?.id as string;
});
afterAll(closeOwner);

const inWorld = <T>(work: () => Promise<T>) => inTenant(world.organizationId, work);
const next = () => inWorld(() => fanOutNextBatch(fanoutId, 3));
const people = () =>
  asOwner<{ user_id: string }>(
    'SELECT DISTINCT user_id FROM affiliations WHERE organization_id = $1 ORDER BY user_id',
    [world.organizationId],
  );
const readNotifications = () =>
  asOwner<{ recipient_id: string; unlisted_reason: string | null }>(
    'SELECT recipient_id, unlisted_reason FROM notifications WHERE organization_id = $1 ORDER BY recipient_id',
    [world.organizationId],
  );

test('a fan-out notifies everybody once, with any number of workers and repetitions', async () => {
  expect(await next()).toBe('running');
  expect(await readNotifications()).toHaveLength(3);
  await Promise.all([next(), next(), next()]);
  for (let status = 'running'; status === 'running'; ) status = await next();
  expect(await next()).toBe('done');
  const everybody = await people();
  expect((await readNotifications()).map(({ recipient_id }) => recipient_id)).toEqual(
    everybody.map(({ user_id }) => user_id),
  );
  expect(await asOwner('SELECT reached FROM notification_fanouts WHERE id = $1', [fanoutId])).toEqual([
    { reached: everybody.length },
  ]);
});

test('a cancelled fan-out notifies no further person, and withdraws notifications that were neither sent nor read', async () => {
  await next();
  await next();
  const [read, claimed] = await readNotifications();
  await asOwner('UPDATE notifications SET read_at = now() WHERE recipient_id = $1', [read?.recipient_id]);
  await asOwner('UPDATE notification_deliveries SET claimed_at = now() WHERE recipient_id = $1', [
    claimed?.recipient_id,
  ]);
  await inWorld(() => cancelFanout(fanoutId));
  expect(await next()).toBe('cancelled');
  while (await inWorld(() => withdrawNextBatch(fanoutId, 2)));
  const rows = await readNotifications();
  expect(rows).toHaveLength(6);
  expect(rows.filter(({ unlisted_reason }) => unlisted_reason === null)).toEqual([read]);
  expect((await inWorld(() => claimDeliveries('email', 200))).claimed).toEqual([]);
  // A batch that ran then, and is retried, is not sent.
  await asOwner('UPDATE notification_deliveries SET claimed_at = NULL WHERE recipient_id = $1', [
    claimed?.recipient_id,
  ]);
  expect((await inWorld(() => claimDeliveries('email', 200))).claimed).toEqual([]);
  expect(
    await asOwner('SELECT outcome, reason FROM notification_deliveries WHERE recipient_id = $1', [
      claimed?.recipient_id,
    ]),
  ).toEqual([{ outcome: 'suppressed', reason: 'withdrawn' }]);
});
