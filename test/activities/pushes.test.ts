/** Push notifications: contents and recipients, the outcome of each attempt, and what becomes of the phone. */
import '../../models/wireAreas.js';
import { register } from 'prom-client';
import '../../models/notifications/push/metrics.js';
import { config } from '../../config.js';
import { sequelize } from '../../models/database/connection.js';
import { inPlatform, inTenant } from '../../models/database/tenancy.js';
import { notifications } from '../../models/finances/notifications.js';
import { claimDeliveries } from '../../models/notifications/deliveries/claimDeliveries.js';
import { notify } from '../../models/notifications/notify.js';
import { verifyToken } from '../../models/identity/tokens.js';
import { claimAttempts } from '../../models/notifications/push/attempts.js';
import { removeToken } from '../../models/notifications/push/tokens.js';
import { aNotification } from '../api/notifications/world.support.js';
import { asOwner, closeOwner } from '../support/owner.js';
import { aMember, anInvoice, aWorld, type Person, signIn, type World } from '../support/world.js';
import {
  aCriticalOne,
  aPushingWorker,
  aRegisteredPhone,
  deliver,
  deliveryOf,
  letTimePass,
  phoneRow,
  recordsOf,
} from './notifications.support.js';

const push = aPushingWorker();

let world: World;
let person: Person;
let org: string;
let elsewhere: string;
beforeAll(async () => {
  world = await aWorld({ members: 1 });
  org = world.organizationId;
  elsewhere = (await aWorld({ members: 1 })).organizationId;
});
beforeEach(async () => {
  person = await aMember(org, world.chapterId);
  await asOwner(
    `UPDATE notification_deliveries SET outcome = 'failed', reason = 'x', concluded_at = now() WHERE outcome IS NULL`,
  );
});
afterAll(async () => {
  await closeOwner();
  await sequelize.close();
});

const inform = (to: Person = person) => aCriticalOne(org, to.userId);
/** A registered phone of the stand-in. */
async function aPhone(
  of = person,
  options: { environment?: 'sandbox' | 'production'; platform?: 'ios' | 'android' } = {},
) {
  const { token } = await push.phone(options.platform ?? 'ios', options.environment);
  return { token, id: await aRegisteredPhone(of.userId, token, { platform: options.platform ?? 'ios' }) };
}

describe('the push of a notification', () => {
  test('a notification is pushed once to each phone of its recipient, with the number of unread ones as its badge', async () => {
    const [iphone, android] = [await aPhone(), await aPhone(person, { platform: 'android' })];
    await aNotification({ organizationId: org, to: person.userId, event: 'message_received' });
    await asOwner('DELETE FROM notification_deliveries');
    const id = await inform();
    for (const channel of ['ios', 'android', 'ios', 'android'] as const) await deliver(org, channel);
    for (const { token } of [iphone, android])
      expect(await push.arrivals({ token })).toMatchObject([
        { badge: 2, collapse_id: id, data: { notification_id: id, organization_id: org } },
      ]);
    expect(await recordsOf(id)).toMatchObject([{ outcome: 'success' }, { outcome: 'success' }]);
    expect([await deliveryOf(id), await deliveryOf(id, 'android')]).toMatchObject([
      { outcome: 'sent', reason: null },
      { outcome: 'sent', reason: null },
    ]);
  });

  test('a push has texts without amounts, and a generic text for an unknown type', async () => {
    const { token } = await aPhone();
    const invoice = await anInvoice(world, { chapterId: world.chapterId, membershipId: person.membershipId });
    await inTenant(org, () => notify(notifications.invoice_issued, [invoice]));
    await deliver(org, 'ios');
    await inform();
    await deliver(org, 'ios');
    const [billed, unknown] = await push.arrivals({ token });
    expect(billed?.title).toMatch(/^New invoice: /);
    expect(billed?.body).toMatch(/is due on \d{4}-\d\d-\d\d\.$/);
    expect([unknown?.title, unknown?.body]).toEqual(['You have a new notification', '']);
    const [row] = await asOwner('SELECT body FROM notifications WHERE subject_id = $1', [invoice]);
    expect(row?.['body']).toMatch(/USD/);
  });

  test('a push shows texts as people typed them, except amounts of money', async () => {
    const { token } = await aPhone();
    const description = 'Fall 2026 NYC: USD 250 or 250,00 €, at the door from 02:00 to 03:00 UTC ($300.00)';
    const invoice = await anInvoice(world, { chapterId: world.chapterId, membershipId: person.membershipId });
    await asOwner('UPDATE chapter_invoices SET description = $2 WHERE id = $1', [invoice, description]);
    await inTenant(org, () => notify(notifications.invoice_issued, [invoice]));
    await deliver(org, 'ios');
    const [arrival] = await push.arrivals({ token });
    const shown = 'Fall 2026 NYC: … or …, at the door from 02:00 to 03:00 UTC (…)';
    expect(arrival?.title).toBe(`New invoice: ${shown}`);
    expect(arrival?.body).toMatch(/is due on \d{4}-\d\d-\d\d\.$/);
    const [row] = await asOwner('SELECT title FROM notifications WHERE subject_id = $1', [invoice]);
    expect(row?.['title']).toBe(`New invoice: ${description}`);
  });

  test('a push shows no text if the organization disables previews', async () => {
    const { token } = await aPhone();
    const invoice = await anInvoice(world, { chapterId: world.chapterId, membershipId: person.membershipId });
    await inTenant(org, () => notify(notifications.invoice_issued, [invoice]));
    await asOwner(
      `INSERT INTO notification_settings (organization_id, push_previews) VALUES ($1, false)
       ON CONFLICT (organization_id) DO UPDATE SET push_previews = false`,
      [org],
    );
    await deliver(org, 'ios');
    await asOwner('UPDATE notification_settings SET push_previews = true WHERE organization_id = $1', [org]);
    expect(await push.arrivals({ token })).toMatchObject([{ title: 'You have a new notification', body: '' }]);
  });

  test('a notification of a person without a phone is not pushed', async () => {
    const id = await inform();
    expect(await deliveryOf(id)).toBeUndefined();
    const { id: phone } = await aPhone();
    const other = await inform();
    await asOwner(
      `UPDATE push_tokens SET is_active = false, deactivated_reason = 'removed', deactivated_at = now() WHERE id = $1`,
      [phone],
    );
    await deliver(org, 'ios');
    expect(await deliveryOf(other)).toMatchObject({ outcome: 'suppressed', reason: 'no_device' });
    expect(await recordsOf(other)).toEqual([]);
  });

  test('four notifications that quiet hours held become one push', async () => {
    const { token } = await aPhone();
    const ids: string[] = [];
    for (let n = 0; n < 4; n += 1)
      ids.push(await aNotification({ organizationId: org, to: person.userId, event: 'message_received' }));
    await asOwner('UPDATE notification_deliveries SET held = true WHERE notification_id = ANY($1)', [ids]);
    await deliver(org, 'ios');
    expect(await push.arrivals({ token })).toMatchObject([
      { title: 'During quiet hours', body: '4 notifications', badge: 4 },
    ]);
    expect(await Promise.all(ids.map((id) => deliveryOf(id)))).toMatchObject([
      { outcome: 'sent', reason: null },
      ...Array.from({ length: 3 }, () => ({ outcome: 'sent', reason: 'batched' })),
    ]);
  });
});

describe('delivery records of phones that were not tried', () => {
  test('a push without credentials is recorded as skipped for each phone', async () => {
    await aPhone();
    await aPhone();
    const id = await inform();
    const { apns } = config;
    Object.assign(config, { apns: null });
    await deliver(org, 'ios').finally(() => Object.assign(config, { apns }));
    expect(await recordsOf(id)).toMatchObject([
      { outcome: 'skipped_no_credentials', attempt: 1 },
      { outcome: 'skipped_no_credentials', attempt: 1 },
    ]);
    expect(await deliveryOf(id)).toMatchObject({ outcome: 'suppressed', reason: 'no_credentials' });
  });

  test('a push that the person has turned off is recorded as suppressed', async () => {
    const { token } = await aPhone();
    await asOwner(
      `INSERT INTO notification_preferences (organization_id, user_id, event_type, in_app_enabled, email_enabled, push_enabled)
       VALUES ($1, $2, 'membership_changed', true, true, false)`,
      [org, person.userId],
    );
    const id = await inform();
    await deliver(org, 'ios');
    expect(await recordsOf(id)).toMatchObject([{ outcome: 'suppressed_by_preference' }]);
    expect(await push.requests({ token })).toEqual([]);
  });
});

describe('a phone registered in a session of an identity provider', () => {
  test('the phone gets pushes of that organization only', async () => {
    const other = await aWorld({ members: 1 });
    await asOwner('INSERT INTO memberships (organization_id, user_id, chapter_id) VALUES ($1, $2, $3)', [
      other.organizationId,
      person.userId,
      other.chapterId,
    ]);
    const [free, confined] = [await push.phone('ios'), await push.phone('ios')];
    await aRegisteredPhone(person.userId, free.token);
    await aRegisteredPhone(person.userId, confined.token, { confinedTo: org });
    const [here, there] = [await inform(), await aCriticalOne(other.organizationId, person.userId)];
    await deliver(org, 'ios');
    await deliver(other.organizationId, 'ios');
    const readPushedIds = async (token: string) => (await push.arrivals({ token })).map(({ collapse_id: id }) => id);
    expect(await readPushedIds(confined.token)).toEqual([here]);
    expect(await readPushedIds(free.token)).toEqual([here, there]);
  });
});

test.each([
  ['ios', 'unregistered', 'unregistered', 'Unregistered', null, 'failed', false],
  ['ios', 'too_many_requests', 'transient_failure', 'TooManyRequests', 10, null, true],
  ['ios', 'unavailable', 'transient_failure', 'ServiceUnavailable', 10, null, true],
  ['ios', 'drop_before', 'transient_failure', expect.any(String), 10, null, true],
  ['ios', 'too_large', 'transient_failure', 'PayloadTooLarge', null, 'failed', true],
  ['ios', 'bad_request', 'transient_failure', 'BadCollapseId', null, 'failed', true],
  ['ios', 'unauthenticated', 'transient_failure', 'InvalidProviderToken', 60, null, true],
  ['android', 'unregistered', 'unregistered', 'UNREGISTERED', null, 'failed', false],
  ['android', 'bad_token', 'unregistered', 'INVALID_ARGUMENT', null, 'failed', false],
  ['android', 'sender_id_mismatch', 'unregistered', 'SENDER_ID_MISMATCH', null, 'failed', false],
  ['android', 'not_found', 'transient_failure', 'NOT_FOUND', 60, null, true],
  ['android', 'unauthenticated', 'transient_failure', 'UNAUTHENTICATED', 60, null, true],
  ['android', 'forbidden', 'transient_failure', 'PERMISSION_DENIED', 60, null, true],
  ['android', 'bad_request', 'transient_failure', 'INVALID_ARGUMENT', null, 'failed', true],
] as const)(
  '%s answers with %s, which is recorded as %s with its consequences',
  async (platform, kind, outcome, code, waits, delivered, stays) => {
    const phone = await aPhone(person, { platform });
    await push.fault({ kind, platform, token: phone.token });
    const id = await inform();
    const seconds = await deliver(org, platform);
    expect(await recordsOf(id)).toMatchObject([{ attempt: 1, outcome, error_code: code, waits }]);
    expect(await deliveryOf(id, platform)).toMatchObject({ outcome: delivered });
    if (waits !== null) expect(seconds).toBeGreaterThan(waits - 5);
    expect(await phoneRow(phone.id)).toMatchObject({
      is_active: stays,
      deactivated_reason: stays ? null : 'unregistered',
    });
  },
);

describe('pushes that are tried again', () => {
  test('a failed push is tried again at the interval of the gateway or at growing intervals, and finally fails', async () => {
    const { token } = await aPhone();
    await push.fault({ kind: 'unavailable', token, retry_after_seconds: 45 });
    await push.fault({ kind: 'unavailable', token, times: null });
    const id = await inform();
    for (let n = 0; n < 7; n += 1) {
      await deliver(org, 'ios');
      await letTimePass(org);
    }
    expect(
      (
        await asOwner(
          `SELECT round(extract(epoch FROM repeats_at - concluded_at))::int AS waits FROM push_delivery_records WHERE notification_id = $1`,
          [id],
        )
      ).length,
    ).toBe(6);
    expect(await deliveryOf(id)).toMatchObject({ outcome: 'failed', reason: 'gateway_rejected' });
    expect(new Set((await push.requests({ token })).map(({ collapse_id: one }) => one))).toEqual(new Set([id]));
  });

  test('a push is not tried again once its notification was read', async () => {
    const { token } = await aPhone();
    await push.fault({ kind: 'unavailable', token });
    const id = await inform();
    await deliver(org, 'ios');
    await asOwner('UPDATE notifications SET read_at = now() WHERE id = $1', [id]);
    await letTimePass(org);
    await deliver(org, 'ios');
    expect(await deliveryOf(id)).toMatchObject({ outcome: 'suppressed', reason: 'already_read' });
    expect(await push.arrivals({ token })).toEqual([]);
  });

  test('a retry for one phone does not ring on the other phone again', async () => {
    const [down, up] = [await aPhone(), await aPhone()];
    await push.fault({ kind: 'unavailable', token: down.token });
    const id = await inform();
    await deliver(org, 'ios');
    await letTimePass(org);
    await deliver(org, 'ios');
    expect(await push.requests({ token: up.token })).toHaveLength(1);
    expect(await push.arrivals({ token: down.token })).toHaveLength(1);
    expect(await deliveryOf(id)).toMatchObject({ outcome: 'sent' });
  });
});

test('a push whose worker died before recording it is sent again, and the phone shows it once', async () => {
  const { token } = await aPhone();
  const id = await inform();
  const claimed = await inTenant(org, async () => {
    const { claimed } = await claimDeliveries('ios', 10);
    return claimAttempts('ios', claimed);
  });
  expect(claimed).toHaveLength(1);
  await push.ports.ios.send({
    recordId: claimed[0]?.id ?? '',
    collapseId: id,
    token,
    environment: 'production',
    title: 'a',
    body: '',
    badge: 1,
    data: {},
  });
  // Its claims expire.
  await asOwner(
    `UPDATE push_delivery_records SET claimed_at = now() - interval '3 minutes' WHERE notification_id = $1`,
    [id],
  );
  await letTimePass(org);
  await deliver(org, 'ios');
  expect(await recordsOf(id)).toMatchObject([
    { attempt: 1, outcome: 'transient_failure', error_code: 'unknown' },
    { attempt: 2, outcome: 'success' },
  ]);
  const screens = (await (await push.control('GET', '/phones')).json()) as { token: string; shown: unknown[] }[];
  expect(screens.find((one) => one.token === token)?.shown).toHaveLength(1);
});

test('two concurrent workers push once', async () => {
  const { token } = await aPhone();
  await inform();
  await Promise.all([deliver(org, 'ios'), deliver(org, 'ios')]);
  expect(await push.requests({ token })).toHaveLength(1);
});

describe('phones that change', () => {
  test('a phone that was registered again after it became unknown stays active', async () => {
    const { token, id } = await aPhone();
    await push.fault({ kind: 'unregistered', token, since: new Date(Date.now() - 2 * 86_400_000).toISOString() });
    const notification = await inform();
    await deliver(org, 'ios');
    expect(await recordsOf(notification)).toMatchObject([{ outcome: 'unregistered' }]);
    expect(await phoneRow(id)).toMatchObject({ is_active: true });
  });

  test('a phone whose owner changes before the push is sent does not ring', async () => {
    const { token, id } = await aPhone();
    const other = await aMember(org, world.chapterId);
    await inform();
    const { claimed } = await inTenant(org, () => claimDeliveries('ios', 10));
    await asOwner('UPDATE push_tokens SET user_id = $2 WHERE id = $1', [id, other.userId]);
    expect(await inTenant(org, () => claimAttempts('ios', claimed))).toEqual([]);
    expect(await push.arrivals({ token })).toEqual([]);
  });

  test.each([
    ['changed its owner', 'UPDATE push_tokens SET user_id = $2 WHERE id = $1', () => world.member.userId],
    ['is confined to another organization', 'UPDATE push_tokens SET confined_to = $2 WHERE id = $1', () => elsewhere],
  ])('a phone that has a push to be tried again and %s gets no retry', async (_, change, newValue) => {
    const [reached, down] = [await aPhone(), await aPhone()];
    await push.fault({ kind: 'unavailable', token: down.token });
    const id = await inform();
    await deliver(org, 'ios');
    await asOwner(change, [down.id, newValue()]);
    await letTimePass(org);
    expect(await deliver(org, 'ios')).toBeNull();
    expect(await deliveryOf(id)).toMatchObject({ outcome: 'sent', reason: null });
    expect([await push.arrivals({ token: reached.token }), await push.arrivals({ token: down.token })]).toEqual([
      [expect.objectContaining({ collapse_id: id })],
      [],
    ]);
  });

  test('a hundred phones of the other environment are found there without losing a push', async () => {
    const phones: { id: string; token: string }[] = [];
    for (let n = 0; n < 100; n += 1) {
      const { token } = await push.phone('ios', 'sandbox');
      const owner = n % 4 === 0 ? (person = await aMember(org, world.chapterId)) : person;
      phones.push({ token, id: await aRegisteredPhone(owner.userId, token) });
      if (n % 4 === 3) await inform(owner);
    }
    await deliver(org, 'ios');
    expect(
      await asOwner('SELECT is_active, environment, count(*)::int FROM push_tokens WHERE id = ANY($1) GROUP BY 1, 2', [
        phones.map(({ id }) => id),
      ]),
    ).toEqual([{ is_active: true, environment: 'sandbox', count: 100 }]);
    const tokens = new Set((await push.arrivals({ environment: 'sandbox' })).map(({ token }) => token));
    expect(phones.filter(({ token }) => !tokens.has(token))).toEqual([]);
    expect(await asOwner(`SELECT outcome, count(*)::int FROM push_delivery_records GROUP BY 1 ORDER BY 1`)).toEqual([
      { outcome: 'success', count: 100 },
      { outcome: 'transient_failure', count: 100 },
    ]);
  });

  test('a phone that neither environment knows is deactivated', async () => {
    const { token, id } = await aPhone();
    await push.fault({ kind: 'bad_token', token, times: 2 });
    const notification = await inform();
    await deliver(org, 'ios');
    expect(await recordsOf(notification)).toMatchObject([
      { environment: 'production', outcome: 'transient_failure' },
      { environment: 'sandbox', outcome: 'unregistered' },
    ]);
    expect(await phoneRow(id)).toMatchObject({ is_active: false, deactivated_reason: 'unregistered' });
  });
});

describe('the brake on the pruning of phones', () => {
  const manyPhones = async (count: number, people: number) => {
    const made: { owner: Person; id: string; token: string }[] = [];
    let owner = person;
    for (let n = 0; n < count; n += 1) {
      if (n % Math.ceil(count / people) === 0) owner = await aMember(org, world.chapterId);
      made.push({ owner, ...(await aPhone(owner)) });
    }
    return made;
  };
  const informAll = async (phones: { owner: Person }[]) => {
    for (const owner of new Set(phones.map((phone) => phone.owner))) await inform(owner);
  };
  const active = async (phones: { id: string }[]) =>
    (
      await asOwner<{ count: number }>('SELECT count(*)::int FROM push_tokens WHERE id = ANY($1) AND is_active', [
        phones.map(({ id }) => id),
      ])
    )[0]?.count;
  const halted = async () =>
    (
      await asOwner<{ halted: boolean }>(
        `SELECT pruning_halted_at IS NOT NULL AS halted FROM push_gateways WHERE platform = 'ios'`,
      )
    )[0]?.halted;

  test('a gateway that knows no phone any more halts pruning until it accepts pushes again', async () => {
    const few = await manyPhones(10, 10);
    await push.fault({ kind: 'unregistered', times: null });
    await informAll(few);
    await deliver(org, 'ios');
    expect([await active(few), await halted()]).toEqual([0, false]);
    const many = await manyPhones(60, 20);
    await informAll(many);
    await deliver(org, 'ios');
    // The first ten phones were deactivated by the same answers and are active again.
    expect([await active(many), await active(few), await halted()]).toEqual([60, 10, true]);
    expect(await register.getSingleMetricAsString('membership_push_pruning_halted')).toMatch(/"ios"\} 1/);

    await push.control('DELETE', '/faults');
    await informAll(many);
    await deliver(org, 'ios');
    expect(await halted()).toBe(false);
    await push.fault({ kind: 'unregistered', token: many[0]?.token });
    await inform(many[0]?.owner);
    await deliver(org, 'ios');
    expect(await active(many)).toBe(59);
  });

  test('a phone that was removed or signed out meanwhile is not activated again', async () => {
    const few = await manyPhones(3, 3);
    const [loggedOut, removed, remaining] = few;
    const token = await signIn(loggedOut?.owner.userId as string, org);
    const { sid } = verifyToken(token, 'access') as { sid: string };
    await asOwner('UPDATE push_tokens SET session_id = $2 WHERE id = $1', [loggedOut?.id, sid]);
    await push.fault({ kind: 'unregistered', times: null });
    await informAll(few);
    await deliver(org, 'ios');
    expect(await active(few)).toBe(0);
    await asOwner('UPDATE sessions SET revoked_at = now() WHERE id = $1', [sid]);
    await inPlatform(() =>
      removeToken({ userId: removed?.owner.userId as string, confinedTo: null }, removed?.id as string),
    );
    await informAll(await manyPhones(60, 20));
    await deliver(org, 'ios');
    expect(await halted()).toBe(true);
    expect([
      await phoneRow(loggedOut?.id as string),
      await phoneRow(removed?.id as string),
      await phoneRow(remaining?.id as string),
    ]).toMatchObject([
      { is_active: false, deactivated_reason: 'session_ended' },
      { is_active: false, deactivated_reason: 'removed' },
      { is_active: true },
    ]);
  });

  test('many unknown phones of one person do not halt pruning', async () => {
    const many = await manyPhones(60, 1);
    await push.fault({ kind: 'unregistered', times: null });
    await informAll(many);
    await deliver(org, 'ios');
    expect([await active(many), await halted()]).toEqual([0, false]);
  });
});

describe('a push gateway that refuses our credentials', () => {
  test('a refusing gateway is paused for all organizations, probed once a minute, and used again when it accepts', async () => {
    const other = await aWorld({ members: 1 });
    const phones = [await aPhone(), await aPhone(world.member), await aPhone(other.member)];
    await push.fault({ kind: 'forbidden', times: null });
    const first = await inform();
    await deliver(org, 'ios');
    const requestCount = (await push.requests({})).length;
    const others = [await inform(world.member), await aCriticalOne(other.organizationId, other.member.userId)];
    expect(await register.getSingleMetricAsString('membership_push_gateway_paused')).toMatch(/"ios"\} 1/);
    expect(await deliver(org, 'ios')).toBeGreaterThan(0);
    expect(await deliver(other.organizationId, 'ios')).toBeGreaterThan(0);
    expect(await push.requests({})).toHaveLength(requestCount);

    await letTimePass(org);
    await deliver(org, 'ios');
    expect(await push.requests({})).toHaveLength(requestCount + 1);

    await push.control('DELETE', '/faults');
    await letTimePass(org);
    // The probe first, and then all others.
    for (let n = 0; n < 3; n += 1) await deliver(org, 'ios');
    await deliver(other.organizationId, 'ios');
    for (const id of [first, ...others]) expect(await deliveryOf(id)).toMatchObject({ outcome: 'sent' });
    for (const { id } of phones) expect(await phoneRow(id)).toMatchObject({ is_active: true });
  });

  test('a paused gateway is probed with a push that is sent, not with suppressed ones', async () => {
    const muted = await aMember(org, world.chapterId);
    await aPhone(muted);
    await asOwner(
      `INSERT INTO notification_preferences (organization_id, user_id, event_type, in_app_enabled, email_enabled, push_enabled)
       VALUES ($1, $2, 'membership_changed', true, true, false)`,
      [org, muted.userId],
    );
    await aPhone();
    const [unwanted, wanted] = [[await inform(muted), await inform(muted), await inform(muted)], await inform()];
    await asOwner(
      `UPDATE push_gateways SET paused_at = now(), paused_by = 'Forbidden', probe_at = now() WHERE platform = 'ios'`,
    );
    await deliver(org, 'ios');
    expect(await deliveryOf(wanted)).toMatchObject({ outcome: 'sent' });
    for (const id of unwanted) expect(await deliveryOf(id)).toMatchObject({ reason: 'preference_off' });
    expect(await asOwner(`SELECT paused_at FROM push_gateways WHERE platform = 'ios'`)).toEqual([{ paused_at: null }]);
  });
});
