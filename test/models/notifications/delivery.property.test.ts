/** Random preferences and changes: deliveries and their explanations follow the rules. */
import fc from 'fast-check';
import '../../../models/wireAreas.js';
import { inTenant } from '../../../models/database/tenancy.js';
import { uuidv7 } from '../../../models/database/uuid.js';
import { notifications } from '../../../models/finances/notifications.js';
import { claimDeliveries, concludeDelivery } from '../../../models/notifications/deliveries/claimDeliveries.js';
import { explainNotification } from '../../../models/notifications/explain.js';
import { notify } from '../../../models/notifications/notify.js';
import { asOwner, closeOwner } from '../../support/owner.js';
import { casesOf } from '../../support/seed.js';
import { aMember, anInvoice, aWorld, type Person, type World } from '../../support/world.js';

let world: World;
beforeAll(async () => {
  world = await aWorld({ members: 1 });
});
afterAll(closeOwner);

const ZONES = ['America/New_York', 'Australia/Lord_Howe', 'UTC', 'Asia/Kolkata'] as const;
const timeOfDay = fc.integer({ min: 0, max: 24 * 60 - 1 });
const clock = (minutes: number): string =>
  `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`;
const choice = fc.constantFrom('none', 'on', 'off');

const situation = fc.record({
  fact: fc.constantFrom('post', 'invoice'),
  access: fc.boolean(),
  actor: fc.constantFrom('self', 'other', 'nobody'),
  muted: fc.boolean(),
  own: choice,
  organization: choice,
  window: fc.option(fc.record({ start: timeOfDay, end: timeOfDay, zone: fc.constantFrom(...ZONES) }), { nil: null }),
  read: fc.boolean(),
  voided: fc.boolean(),
  address: fc.boolean(),
});
type Situation = ReturnType<typeof situation.generate>['value'] extends infer S ? S : never;

/** The rules of the specification, written differently than in the database. */
function expected(s: Situation, now: Date): string | null {
  const billing = s.fact === 'invoice';
  if (!billing && !s.access) return 'no_access';
  if (billing && s.voided) return 'withdrawn';
  if (s.actor === 'self') return 'own_action';
  if (s.muted) return 'muted';
  if ((s.own === 'none' ? s.organization : s.own) === 'off') return 'preference_off';
  if (!billing && s.window && isQuiet(s.window, now)) return 'quiet_hours';
  if (s.read) return 'already_read';
  return null;
}

/** Minutes since midnight in a time zone. */
function minutesIn(zone: string, at: Date): number {
  const parts = new Intl.DateTimeFormat('en-GB', { timeZone: zone, hour: '2-digit', minute: '2-digit' }).format(at);
  const [hours, minutes] = parts.split(':').map(Number) as [number, number];
  return hours * 60 + minutes;
}

function isQuiet({ start, end, zone }: NonNullable<Situation['window']>, at: Date): boolean {
  const minutes = minutesIn(zone, at);
  if (start === end) return false;
  return start < end ? minutes >= start && minutes < end : minutes >= start || minutes < end;
}

const inWorld = <T>(work: () => Promise<T>) => inTenant(world.organizationId, work);

/** Creates that state. @returns the notification */
async function stage(s: Situation, person: Person): Promise<string> {
  const { organizationId } = world;
  const event = s.fact === 'invoice' ? 'invoice_issued' : 'event_updated';
  await asOwner('DELETE FROM notification_defaults WHERE organization_id = $1', [organizationId]);
  if (s.organization !== 'none')
    await asOwner('INSERT INTO notification_defaults VALUES ($1, $2, true, $3, $3)', [
      organizationId,
      event,
      s.organization === 'on',
    ]);
  if (s.own !== 'none')
    await asOwner(
      `INSERT INTO notification_preferences (organization_id, user_id, event_type, in_app_enabled, email_enabled, push_enabled)
       VALUES ($1, $2, $3, true, $4, $4)`,
      [organizationId, person.userId, event, s.own === 'on'],
    );
  const { subject, id } = s.fact === 'invoice' ? await anIssued(s, person) : await aPost(s, person);
  if (s.muted)
    await asOwner('INSERT INTO notification_mutes VALUES ($1, $2, $3, $4)', [
      organizationId,
      person.userId,
      s.fact,
      subject,
    ]);
  if (s.window && s.window.start !== s.window.end)
    await asOwner(
      'INSERT INTO user_quiet_hours (user_id, enabled, start_time, end_time, timezone) VALUES ($1, true, $2, $3, $4)',
      [person.userId, clock(s.window.start), clock(s.window.end), s.window.zone],
    );
  if (s.read) await asOwner('UPDATE notifications SET read_at = now() WHERE id = $1', [id]);
  if (s.voided && s.fact === 'invoice')
    await asOwner(`UPDATE chapter_invoices SET status = 'void', voided_at = now() WHERE id = $1`, [subject]);
  if (!s.access) await asOwner(`UPDATE memberships SET status = 'inactive' WHERE id = $1`, [person.membershipId]);
  return id;
}

async function anIssued({ actor }: Situation, person: Person) {
  const subject = await anInvoice(world, { chapterId: person.chapterId, membershipId: person.membershipId });
  const by = { self: person.userId, other: world.admin.userId, nobody: null }[actor];
  await inWorld(() => notify(notifications.invoice_issued, [subject], { actor: by }));
  const [row] = await asOwner<{ id: string }>('SELECT id FROM notifications WHERE subject_id = $1', [subject]);
  return { subject, id: (row as { id: string }).id };
}

async function aPost({ actor }: Situation, person: Person) {
  const subject = uuidv7();
  const by = { self: person.userId, other: world.admin.userId, nobody: null }[actor];
  const [row] = await asOwner<{ id: string }>(
    `INSERT INTO notifications (organization_id, recipient_id, event_id, notification_type, event_type, title, subject_type, subject_id, actor_id)
     VALUES ($1, $2, $3, 'a_mention', 'event_updated', 'A post', 'post', $4, $5) RETURNING id`,
    [world.organizationId, person.userId, `post:${subject}`, subject, by],
  );
  return { subject, id: (row as { id: string }).id };
}

test('deliveries and their explanations follow the rules', async () => {
  await fc.assert(
    fc.asyncProperty(situation, async (s) => {
      const person = await aMember(world.organizationId, world.chapterId);
      const id = await stage(s, person);
      const [before, { claimed }, after] = [new Date(), await inWorld(() => claimDeliveries('email', 500)), new Date()];
      // A window that begins or ends in this very minute proves nothing.
      fc.pre(expected(s, before) === expected(s, after));
      const reason = expected(s, before);
      expect(claimed.map(({ notificationId }) => notificationId)).toEqual(reason === null ? [id] : []);
      if (reason === null) await inWorld(() => concludeDelivery('email', id, 'sent'));
      const explained = await inWorld(() => explainNotification(person.userId, id));
      const outcome = reason === null ? 'sent' : reason === 'quiet_hours' ? 'waiting' : 'suppressed';
      expect(explained?.email).toMatchObject({ outcome, reason });
      const held = explained?.email.checks.filter(({ result }) => result === 'held').map(({ rule }) => rule) ?? [];
      expect(held.slice(0, 1)).toEqual(reason === null ? [] : [reason]);
      await asOwner('DELETE FROM notifications WHERE organization_id = $1', [world.organizationId]);
    }),
    { numRuns: casesOf({ test: 25, release: 120 }) },
  );
});

const clocks = new Map(
  ZONES.map((timeZone) => [
    timeZone as string,
    new Intl.DateTimeFormat('en-GB', {
      timeZone,
      hourCycle: 'h23',
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
    }),
  ]),
);
const shown = new Map<string, number>();

/** Local time of a zone, as minutes since 1970 that no zone ever skips. */
function localMinutes(zone: string, at: number): number {
  const key = `${zone} ${at}`;
  const known = shown.get(key);
  if (known !== undefined) return known;
  const parts = (clocks.get(zone) as Intl.DateTimeFormat).formatToParts(at * 60_000);
  const of = (type: string): number => Number(parts.find((part) => part.type === type)?.value);
  const minutes = Date.UTC(of('year'), of('month') - 1, of('day'), of('hour'), of('minute')) / 60_000;
  shown.set(key, minutes);
  return minutes;
}

/** The first minute (UTC) at which a clock shows `local`; for a skipped minute, as long after the gap as it is into it. */
function instantOf(zone: string, local: number): number {
  let last = local - 16 * 60;
  for (let at = local - 16 * 60; at <= local + 16 * 60; at += 1) {
    const there = localMinutes(zone, at);
    if (there === local) return at;
    if (there < local) last = at;
    else break;
  }
  return last + (local - localMinutes(zone, last));
}

/** Days on which the clocks of New York and Lord Howe change, and one on which they do not. */
const DAYS = { 'America/New_York': ['2026-03-08', '2026-11-01'], 'Australia/Lord_Howe': ['2026-04-05', '2026-10-04'] };

test('quiet hours last from their first minute to their last, on days when clocks change', async () => {
  const { userId } = await aMember(world.organizationId, world.chapterId);
  await asOwner(
    `INSERT INTO user_quiet_hours (user_id, enabled, start_time, end_time, timezone) VALUES ($1, true, '00:00', '01:00', 'UTC')`,
    [userId],
  );
  const night = fc.record({
    zone: fc.constantFrom('America/New_York' as const, 'Australia/Lord_Howe' as const),
    nth: fc.integer({ min: 0, max: 1 }),
    // Around the hours that clocks skip or repeat.
    start: fc.oneof(timeOfDay, fc.integer({ min: 45, max: 200 })),
    end: fc.oneof(timeOfDay, fc.integer({ min: 45, max: 200 })),
    offset: fc.integer({ min: -180, max: 360 }),
  });
  await fc.assert(
    fc.asyncProperty(night, async ({ zone, nth, start, end, offset }) => {
      fc.pre(start !== end);
      const midnight = Date.parse(`${DAYS[zone][nth]}T00:00:00Z`) / 60_000;
      const at = instantOf(zone, midnight) + offset;
      const today = Math.floor(localMinutes(zone, at) / 1440) * 1440;
      const ends = [today - 1440, today].flatMap((day) => {
        const begins = instantOf(zone, day + start);
        const until = instantOf(zone, day + end + (end < start ? 1440 : 0));
        return begins <= at && at < until ? [Math.min(until, at + 1440)] : [];
      });
      await asOwner('UPDATE user_quiet_hours SET start_time = $2, end_time = $3, timezone = $4 WHERE user_id = $1', [
        userId,
        clock(start),
        clock(end),
        zone,
      ]);
      const [row] = await asOwner<{ until: Date | null }>('SELECT app.quiet_until($1, $2) AS until', [
        userId,
        new Date(at * 60_000),
      ]);
      expect(row?.until?.toISOString() ?? null).toBe(
        ends.length === 0 ? null : new Date(Math.min(...ends) * 60_000).toISOString(),
      );
    }),
    { numRuns: casesOf({ test: 60, release: 300 }) },
  );
});
