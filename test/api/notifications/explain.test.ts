import { randomUUID } from 'node:crypto';
import '../../../models/wireAreas.js';
import { inTenant } from '../../../models/database/tenancy.js';
import { notifications } from '../../../models/finances/notifications.js';
import { claimDeliveries, concludeDelivery } from '../../../models/notifications/deliveries/claimDeliveries.js';
import type { Explanation } from '../../../models/notifications/explain.js';
import { notify } from '../../../models/notifications/notify.js';
import { subjectsWithReader } from '../../../api/http/readers.js';
import { allTypes } from '../../../models/notifications/types.js';
import { apiWorld } from '../../support/apiWorld.js';
import { asOwner } from '../../support/owner.js';
import { aMember, anInvoice, type Person } from '../../support/world.js';
import { aNotification } from './world.support.js';

const stage = apiWorld();
const PATH = '/api/notifications/';

let person: Person;
beforeEach(async () => void (person = await aMember(stage.world.organizationId, stage.world.chapterId)));

const inWorld = <T>(work: () => Promise<T>) => inTenant(stage.world.organizationId, work);
const why = async (id: string) => (await stage.as(person).get<Explanation>(`${PATH}${id}/explain/`)).body;
const aPost = () =>
  aNotification({ organizationId: stage.world.organizationId, to: person.userId, event: 'event_updated' });
const anIssuedInvoice = async (of = person) => {
  const id = await anInvoice(stage.world, { chapterId: of.chapterId, membershipId: of.membershipId });
  await inWorld(() => notify(notifications.invoice_issued, [id]));
  return id;
};
const decide = async () => {
  const { claimed } = await inWorld(() => claimDeliveries('email', 200));
  for (const { notificationId } of claimed) await inWorld(() => concludeDelivery('email', notificationId, 'sent'));
};

test('the explanation of a mailed notification gives the time and the rules that passed', async () => {
  const id = await aPost();
  await decide();
  const { in_app, email, push } = await why(id);
  expect(in_app).toMatchObject({ outcome: 'sent', reason: null });
  expect(email).toMatchObject({ outcome: 'sent', reason: null, at: expect.any(String), you_can_change: false });
  expect(new Set(email.checks.map(({ result }) => result))).toEqual(new Set(['passed']));
  expect(push).toMatchObject({ outcome: 'suppressed', reason: 'no_device', you_can_change: true });
});

test('the first rule that blocked is the reason, and later rules are not checked', async () => {
  await stage.as(person).post(`${PATH}preferences/`, { event_type: 'event_updated', email_enabled: false });
  const id = await aPost();
  await stage.as(person).post(`${PATH}mark_read/`, { mark_all: true });
  await decide();
  const { email } = await why(id);
  expect(email).toMatchObject({ outcome: 'suppressed', reason: 'preference_off', you_can_change: true });
  const results = Object.fromEntries(email.checks.map(({ rule, result }) => [rule, result]));
  expect(results).toMatchObject({ no_access: 'passed', preference_off: 'held', already_read: 'not_asked' });
});

test('the explanation of a waiting notification says until when it waits', async () => {
  await asOwner(
    `INSERT INTO user_quiet_hours (user_id, enabled, start_time, end_time, timezone)
     VALUES ($1, true, (now() - interval '1 hour')::time, (now() + interval '2 hours')::time, 'UTC')`,
    [person.userId],
  );
  const id = await aPost();
  await decide();
  const { email } = await why(id);
  expect(email).toMatchObject({ outcome: 'waiting', reason: 'quiet_hours', you_can_change: true });
  expect(new Date(email.at as string).getTime()).toBeGreaterThan(Date.now());
});

test("another person's notification and one of another organization are a 404", async () => {
  const theirs = await aNotification({ organizationId: stage.world.organizationId, to: stage.world.member.userId });
  const elsewhere = await aNotification({ organizationId: stage.other.organizationId, to: stage.other.member.userId });
  for (const id of [theirs, elsewhere, randomUUID()])
    expect(await stage.as(person).get(`${PATH}${id}/explain/`)).toMatchObject({ status: 404 });
  expect(await stage.nobody.get(`${PATH}${theirs}/explain/`)).toMatchObject({ status: 401 });
});

const ofSubject = (as: { token: string }, subject: string, user?: string) =>
  stage.as(as).get<{ results: Explanation[] }>(`${PATH}explain/?subject=${subject}${user ? `&user=${user}` : ''}`);

test('the explanation of a subject covers each of its notifications', async () => {
  const id = await anIssuedInvoice();
  const { status, body } = await ofSubject(person, `invoice:${id}`);
  expect([status, body.results.map(({ notification_type }) => notification_type)]).toEqual([200, ['invoice_issued']]);
  expect(body.results[0]?.email.outcome).toBe('waiting');
});

test('a person who got no notification learns why if they may see the subject', async () => {
  const id = await anInvoice(stage.world, { chapterId: person.chapterId, membershipId: person.membershipId });
  const { body } = await ofSubject(person, `invoice:${id}`);
  const issued = body.results.find(({ notification_type }) => notification_type === 'invoice_issued');
  expect(issued).toMatchObject({ notification: null, email: { outcome: 'unknown', reason: null } });
  const overdue = body.results.find(({ notification_type }) => notification_type === 'invoice_overdue');
  expect(overdue).toMatchObject({ notification: null, email: { outcome: 'suppressed', reason: 'withdrawn' } });
  const another = await anIssuedInvoice(stage.world.member);
  for (const subject of [`invoice:${another}`, `invoice:${randomUUID()}`, `unicorn:${id}`])
    expect(await ofSubject(person, subject)).toMatchObject({ status: 404 });
});

test('an admin may ask about other members, which is audited, and other people may not', async () => {
  const id = await anIssuedInvoice();
  const { status, body } = await ofSubject(stage.world.admin, `invoice:${id}`, person.userId);
  expect([status, body.results.length]).toEqual([200, 1]);
  const log = await asOwner(
    `SELECT actor_user_id, subject_id, after FROM audit_log WHERE action = 'notification.explained' AND organization_id = $1`,
    [stage.world.organizationId],
  );
  expect(log).toEqual([{ actor_user_id: stage.world.admin.userId, subject_id: id, after: { user_id: person.userId } }]);
  const other = await ofSubject(stage.world.admin, `invoice:${id}`, stage.world.member.userId);
  expect(other.body.results[0]?.email).toMatchObject({ outcome: 'suppressed', reason: 'not_subscribed' });
  expect(await ofSubject(person, `invoice:${id}`, stage.world.member.userId)).toMatchObject({ status: 403 });
  for (const stranger of [stage.other.member.userId, randomUUID()])
    expect(await ofSubject(stage.world.admin, `invoice:${id}`, stranger)).toMatchObject({ status: 404 });
  expect(await ofSubject(stage.other.admin, `invoice:${id}`)).toMatchObject({ status: 404 });
});

test('an admin gets explanations for every existing subject of the organization and for no other', async () => {
  const { world, other } = stage;
  const untold = await anInvoice(world, { chapterId: person.chapterId, membershipId: person.membershipId });
  for (const who of [person, world.member]) {
    const { status, body } = await ofSubject(world.admin, `invoice:${untold}`, who.userId);
    expect([status, body.results.length > 0]).toEqual([200, true]);
  }
  const foreign = await anInvoice(other, { chapterId: other.chapterId, membershipId: other.member.membershipId });
  const before = await explained();
  for (const subject of [
    `invoice:${randomUUID()}`,
    `invoice:${foreign}`,
    `account:${other.member.userId}`,
    `account:${randomUUID()}`,
    `capture:${randomUUID()}`,
    `membership:${other.member.membershipId}`,
    `bulletin:${randomUUID()}`,
  ])
    expect([subject, (await ofSubject(world.admin, subject, person.userId)).status]).toEqual([subject, 404]);
  expect(await explained()).toBe(before);
});

const explained = async () => (await asOwner(`SELECT FROM audit_log WHERE action = 'notification.explained'`)).length;

describe('explanations for people who may read the subject but were not notified', () => {
  const statuses = async (subject: string) => {
    const { admin, regionalAdmin, officer, otherOfficer, member } = stage.world;
    const answers = await Promise.all(
      [admin, regionalAdmin, officer, otherOfficer, member, stage.other.admin].map((who) => ofSubject(who, subject)),
    );
    return answers.map(({ status }) => status);
  };

  test("the chapter's officer, its regional admin and the organization's admin may ask about a member's invoice and payment", async () => {
    const invoice = await anIssuedInvoice();
    const [payment] = await asOwner<{ id: string }>(
      `INSERT INTO payment_records (organization_id, invoice_id, processor_payment_id, amount_cents, status)
       VALUES ($1, $2, 'any', 100, 'pending') RETURNING id`,
      [stage.world.organizationId, invoice],
    );
    expect(await statuses(`invoice:${invoice}`)).toEqual([200, 200, 200, 404, 404, 404]);
    expect(await statuses(`payment:${payment?.id}`)).toEqual([200, 200, 200, 404, 404, 404]);
    const { body } = await ofSubject(stage.world.officer, `invoice:${invoice}`);
    expect(body.results).toMatchObject([
      { notification: null, notification_type: 'invoice_issued', email: { reason: 'not_subscribed' } },
    ]);
    expect(await ofSubject(person, `payment:${payment?.id}`)).toMatchObject({ status: 200 });
  });

  test('the authors and editors of a draft bulletin may ask about it', async () => {
    const { organizationId, chapterId, officer } = stage.world;
    const made = await stage.as(officer).post<{ id: string }>(`/api/organizations/${organizationId}/bulletins/`, {
      title: 'A draft',
      body_html: '<p>To come.</p>',
      target_type: 'chapter',
      target: chapterId,
    });
    expect(made.status).toBe(201);
    expect(await statuses(`bulletin:${made.body.id}`)).toEqual([200, 200, 200, 404, 404, 404]);
  });

  test("readers of the chapter's roster may ask about a membership", async () => {
    expect(await statuses(`membership:${person.membershipId}`)).toEqual([200, 200, 200, 404, 200, 404]);
  });

  test('every kind of subject has a reader except accounts and platform alerts', () => {
    const readers = new Set(subjectsWithReader());
    const subjects = new Set(allTypes().map(({ subject }) => subject));
    expect([...subjects].filter((subject) => !readers.has(subject))).toEqual(['account', 'platform_alert']);
    expect([...readers].filter((subject) => !subjects.has(subject))).toEqual([]);
  });
});

test.each(['', '?subject=invoice', '?subject=invoice:x', `?subject=x y:${randomUUID()}`])(
  'the query %s is refused',
  async (query) => {
    expect(await stage.as(person).get(`${PATH}explain/${query}`)).toMatchObject({ status: 400 });
  },
);
