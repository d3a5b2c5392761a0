/** Reminders of payers: on the days the organization chose, one mail for everything they owe, and on request. */
import { Client } from 'pg';
import { inTenant } from '../../../models/database/tenancy.js';
import { recordInvoiceCharge } from '../../../models/finances/captures/recordInvoiceCharge.js';
import { IS_MORNING } from '../../../models/finances/overdue/localDay.js';
import { notifications as reminders } from '../../../models/finances/reminders/notifications.js';
import { factsSql } from '../../../models/notifications/statements.js';
import { remindPayers } from '../../../models/finances/reminders/remindPayers.js';
import { notifyLateInstallments } from '../../../models/finances/reminders/notifyLateInstallments.js';
import { expectNowhere } from '../../support/apiWorld.js';
import { asOwner } from '../../support/owner.js';
import { aProcessor, ownerUrl } from '../../models/finances/ledger.support.js';
import { countStatements } from '../../support/statements.js';
import { anInvoice, type World } from '../../support/world.js';
import { ask, day, hq, marked, type Owing, owing, pay, review, settings, stage } from './plans.support.js';

const { as } = stage;

const inWorld = <T>({ world }: Owing, work: () => Promise<T>) => inTenant(world.organizationId, work);
/** Reminds payers as of a day this many days from today. @returns the number of payers */
const remind = async (owed: Owing, ahead: number): Promise<number> => {
  const today = await day(owed.world, ahead);
  return inWorld(owed, () => remindPayers(today));
};
/** A member with an unpaid invoice that was issued 90 days ago. */
async function longOwing(dueIn: number, more: Parameters<typeof owing>[1] = {}): Promise<Owing> {
  const owed = await owing(12_345, { dueIn, ...more });
  await issuedLongAgo(owed.world);
  return owed;
}
const issuedLongAgo = ({ organizationId }: World) =>
  asOwner(`UPDATE chapter_invoices SET created_at = now() - interval '90 days' WHERE organization_id = $1`, [
    organizationId,
  ]);
const another = async ({ world }: Owing, dueIn: number, membershipId: string | null = world.member.membershipId) => {
  const id = await anInvoice(world, { chapterId: world.chapterId, membershipId, dueIn, cents: 1_000 });
  await issuedLongAgo(world);
  return id;
};
interface ReminderNotice {
  recipient_id: string;
  title: string;
  body: string;
}
const readNotices = ({ world }: Owing, type = 'payments_') =>
  asOwner<ReminderNotice>(
    `SELECT recipient_id, title, body FROM notifications WHERE organization_id = $1 AND notification_type LIKE $2 || '%' ORDER BY id`,
    [world.organizationId, type],
  );
const daysWithReminder = async (owed: Owing, ahead: number[]): Promise<number[]> => {
  const reminded = [];
  for (const days of ahead) if ((await remind(owed, days)) > 0) reminded.push(days);
  return reminded;
};

test('a payer is reminded seven days and one day before the due date and every two weeks after it, three times', async () => {
  const owed = await longOwing(10);
  const days = Array.from({ length: 80 }, (_, n) => n);
  // Each day runs twice.
  expect(
    await daysWithReminder(
      owed,
      days.flatMap((one) => [one, one]),
    ),
  ).toEqual([3, 9, 24, 38, 52]);
  const notes = await readNotices(owed);
  expect(notes).toHaveLength(5);
  expect(notes[0]).toEqual({
    recipient_id: owed.world.member.userId,
    title: 'Due soon: Dues',
    body: `Not fully paid yet: "Dues" (in 7 days, ${await day(owed.world, 10)}). In all 123.45 USD is due. If you cannot pay the full amount now, you can request to pay in installments.`,
  });
  expect(notes[1]?.body).toContain(`(tomorrow, ${await day(owed.world, 10)})`);
  expect(notes[4]?.title).toBe('Still due: Dues');
});

test('a missed reminder is sent once later, with the days left at that time', async () => {
  const owed = await longOwing(10);
  expect(await daysWithReminder(owed, [6, 7, 8, 9])).toEqual([6, 9]);
  expect((await readNotices(owed))[0]?.body).toContain('in 4 days');
  expect(await daysWithReminder(owed, [45, 46, 52])).toEqual([45, 52]);
});

test('a payer gets one mail a day that lists everything they owe', async () => {
  const owed = await longOwing(7);
  await another(owed, 3);
  await another(owed, -20);
  await another(owed, 30);
  expect(await remind(owed, 0)).toBe(1);
  const [note, ...others] = await readNotices(owed);
  expect(others).toEqual([]);
  expect(note).toMatchObject({
    title: 'Still due: 3 invoices',
    body: expect.stringContaining('In all 143.45 USD is due.'),
  });
  expect(note?.body.match(/"Dues"/g)).toHaveLength(3);
  // An invoice that becomes due for a reminder on the same day waits for the next day's mail.
  await another(owed, 1);
  expect(await daysWithReminder(owed, [0, 1])).toEqual([1]);
});

test('ten concurrent runs remind each payer once', async () => {
  const owed = await longOwing(7);
  await Promise.all(Array.from({ length: 10 }, () => remind(owed, 0)));
  expect(await readNotices(owed)).toHaveLength(1);
});

test('an organization chooses when and how often payers are reminded, or never', async () => {
  const owed = await longOwing(10, {
    set: { reminder_days_before: [5], dunning_interval_days: 3, dunning_max: 1 },
  });
  const days = Array.from({ length: 40 }, (_, n) => n);
  expect(await daysWithReminder(owed, days)).toEqual([5, 13]);
  const silent = await longOwing(10, { set: { reminder_days_before: [], dunning_max: 0 } });
  expect(await daysWithReminder(silent, days)).toEqual([]);
  const at = `/api/organizations/${owed.world.organizationId}/dues-settings/`;
  const { admin } = owed.world;
  expect((await as(admin).patch(at, { reminder_days_before: [1, 30, 1] })).body.reminder_days_before).toEqual([30, 1]);
  for (const bad of [[0], [61], ['x'], 7, Array.from({ length: 11 }, (_, n) => n + 1)])
    expect((await as(admin).patch(at, { reminder_days_before: bad })).status).toBe(400);
  expect((await as(admin).patch(at, { dunning_max: -1 })).status).toBe(400);
});

test('payers get no reminder of paid, void or frozen invoices, or of invoices issued within the reminder days', async () => {
  const owed = await longOwing(7);
  await ask(owed);
  expect(await remind(owed, 6)).toBe(0);
  await pay(owed, 12_345);
  expect(await remind(owed, 6)).toBe(0);
  const voided = await another(owed, 7);
  await as(owed.world.admin).post(`/api/invoices/${voided}/void/`, { reason: 'A mistake' });
  await anInvoice(owed.world, {
    chapterId: owed.world.chapterId,
    membershipId: owed.world.member.membershipId,
    dueIn: 5,
  });
  expect(await remind(owed, 0)).toBe(0);
});

test('a payer is not reminded of an invoice with a disputed payment until the dispute is decided', async () => {
  const owed = await longOwing(7);
  const { world, invoice: invoiceId } = owed;
  const processorId = await aProcessor(world.organizationId);
  const charge = {
    processorId,
    intentId: `pi_${invoiceId}`,
    invoiceId,
    amountCents: 5_000,
    currency: 'usd',
    attemptId: null,
  };
  await inWorld(owed, () => recordInvoiceCharge(charge));
  await asOwner(
    `INSERT INTO payment_disputes (organization_id, capture_id, gateway_dispute_id, amount_cents, currency, reason, decision, read_at, opened_at)
     SELECT organization_id, id, 'dp_' || id, 5000, 'usd', 'fraudulent', 'none', now(), now() FROM processor_captures WHERE intent_id = $1`,
    [charge.intentId],
  );
  expect(await daysWithReminder(owed, [0, 1, 6, 20])).toEqual([]);
  await asOwner(`UPDATE payment_disputes SET decision = 'lost' WHERE organization_id = $1`, [world.organizationId]);
  expect(await daysWithReminder(owed, [6])).toEqual([6]);
});

describe('nine o’clock is local time of the organization', () => {
  const owner = new Client({ connectionString: ownerUrl() });
  beforeAll(async () => {
    await owner.connect();
    // In this connection `now()` returns the time that the test sets.
    await owner.query(`CREATE SCHEMA clock;
      CREATE FUNCTION clock.now() RETURNS timestamptz LANGUAGE sql STABLE AS $$ SELECT current_setting('clock.now')::timestamptz $$;
      SET search_path = clock, pg_catalog, public`);
  });
  afterAll(async () => {
    await owner.query('DROP SCHEMA clock CASCADE');
    await owner.end();
  });

  test.each([
    ['America/New_York', '2026-03-08', '2026-03-08T13:00:00Z', '2026-03-07T14:00:00Z'],
    ['America/New_York', '2026-11-01', '2026-11-01T14:00:00Z', '2026-10-31T13:00:00Z'],
    ['Pacific/Auckland', '2026-09-27', '2026-09-26T20:00:00Z', '2026-09-25T21:00:00Z'],
    ['Pacific/Auckland', '2026-04-05', '2026-04-04T21:00:00Z', '2026-04-03T20:00:00Z'],
    ['Australia/Lord_Howe', '2026-10-04', '2026-10-03T22:00:00Z', '2026-10-02T23:00:00Z'],
  ])('in %s on %s, whose clock changes, the first run is at %s', async (zone, changing, first, before) => {
    const firsts = new Map<string, string>();
    for (let hour = -48; hour < 48; hour += 1) {
      const at = new Date(Date.parse(first) + hour * 3_600_000).toISOString();
      await owner.query(`SELECT set_config('clock.now', $1, false)`, [at]);
      const { rows } = await owner.query(
        `SELECT app.local_day(o.timezone)::text AS day, ${IS_MORNING} AS is_morning FROM (SELECT $1::text AS timezone) o`,
        [zone],
      );
      const { day: today, is_morning } = rows[0] as { day: string; is_morning: boolean };
      if (is_morning && !firsts.has(today)) firsts.set(today, at.replace('.000', ''));
    }
    expect(firsts.get(changing)).toBe(first);
    const dayBefore = new Date(Date.parse(changing) - 86_400_000).toISOString().slice(0, 10);
    expect(firsts.get(dayBefore)).toBe(before);
  });
});

test('a payment before the mail is sent empties the reminder', async () => {
  const owed = await longOwing(7);
  await remind(owed, 0);
  await pay(owed, 12_345);
  expect(await asOwner(`SELECT kind FROM invoice_reminders WHERE invoice_id = $1`, [owed.invoice])).toEqual([
    { kind: 'due_soon' },
  ]);
  expect(
    await asOwner(
      `SELECT ${factsSql(reminders.payments_due_soon)} AS facts FROM notifications n WHERE n.organization_id = $1 AND n.notification_type = 'payments_due_soon'`,
      [owed.world.organizationId],
    ),
  ).toEqual([{ facts: null }]);
});

test('a chapter’s treasurer who sees no amounts gets a reminder without amounts', async () => {
  const owed = await longOwing(90, { set: { officers_see_amounts: false } });
  await another(owed, 7, null);
  expect(await remind(owed, 0)).toBe(1);
  const [note] = await readNotices(owed);
  expect(note?.recipient_id).toBe(owed.world.officer.userId);
  expect(`${note?.title} ${note?.body}`).not.toMatch(/USD|10\.00/);
});

test('a payer is reminded of an installment three days before, notified when it is missed, and admins weekly of late ones', async () => {
  const owed = await longOwing(14);
  const { body } = await review(owed, (await ask(owed)).body.id);
  expect(body.status).toBe('approved');
  // The installments are due in 3 days, and monthly after that.
  expect(await daysWithReminder(owed, [0, 1, 2])).toEqual([0]);
  expect((await readNotices(owed))[0]?.body).toContain('"Dues", installment 1 of 3 (in 3 days');
  await asOwner('UPDATE payment_plan_installments SET due_date = due_date - 20 WHERE organization_id = $1', [
    owed.world.organizationId,
  ]);
  await asOwner('UPDATE chapter_invoices SET due_date = due_date - 20 WHERE id = $1', [owed.invoice]);
  expect(await marked(owed, await day(owed.world, 0))).toBe(1);
  expect((await readNotices(owed, 'invoice_overdue'))[0]?.body).toContain('"Dues", installment 1 of 3 was due on');
  for (const ahead of [0, 0, 1]) await inWorld(owed, async () => notifyLateInstallments(await day(owed.world, ahead)));
  const late = await readNotices(owed, 'plan_rows_late');
  expect(late.length).toBeGreaterThanOrEqual(1);
  expect(late.length).toBeLessThanOrEqual(2);
  expect(late[0]).toMatchObject({ recipient_id: owed.world.admin.userId, title: 'Late installments: 1' });
});

test('a batch of payers is reminded with as many statements as one payer', async () => {
  const owed = await longOwing(7);
  const one = await countStatements(() => remind(owed, 0));
  const many = await longOwing(7);
  for (const membership of many.world.memberships) await another(many, 7, membership);
  expect(await countStatements(() => remind(many, 0))).toBe(one);
});

describe('reminders on request: POST …/remind/', () => {
  const at = (id: string) => `/api/invoices/${id}/remind/`;

  test('a member is reminded on request once a day, also when several officers ask', async () => {
    const owed = await longOwing(-3, { set: { officers_see_amounts: false } });
    const { world, invoice } = owed;
    const answers = await Promise.all(
      [world.officer, world.admin, world.officer].map((by) => as(by).post(at(invoice))),
    );
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(2);
    expect(answers.find(({ status }) => status === 201)?.body).toEqual({ invoice, reminded_on: await day(world, 0) });
    expect(answers.find(({ status }) => status === 409)?.body.code).toBe('already_reminded');
    expect(await readNotices(owed, 'invoice_overdue')).toEqual([
      expect.objectContaining({ recipient_id: world.member.userId, title: 'Overdue: Dues' }),
    ]);
  });

  test("a treasurer gets a mail about the chapter's invoice on request", async () => {
    const owed = await longOwing(90);
    const chapters = await another(owed, 5, null);
    expect((await as(owed.world.officer).post(at(chapters))).status).toBe(201);
    expect(
      await asOwner(
        `SELECT d.recipient_id FROM notification_deliveries d JOIN notifications n ON n.id = d.notification_id
          WHERE n.subject_id = $1 AND d.channel = 'email' AND d.outcome IS NULL`,
        [chapters],
      ),
    ).toEqual([{ recipient_id: owed.world.officer.userId }]);
  });

  test('a reminder is refused for paid, void, frozen and own invoices and for persons without the right', async () => {
    const owed = await longOwing(3);
    const { world, invoice } = owed;
    expect((await as(world.member).post(at(invoice))).status).toBe(403);
    await expectNowhere(invoice, (id) => as(world.otherOfficer).post(at(id)));
    await ask(owed);
    expect((await as(world.officer).post(at(invoice))).body.code).toBe('invoice_frozen');
    await pay(owed, 12_345);
    expect((await as(world.officer).post(at(invoice))).body.code).toBe('nothing_due');
    const own = await another(owed, 5, world.officer.membershipId);
    expect(await as(world.officer).post(at(own))).toMatchObject({ status: 403, body: { code: 'own_invoice' } });
    expect((await as(world.admin).post(at(own))).status).toBe(201);
    await as(world.admin).post(`/api/invoices/${own}/void/`, { reason: 'A mistake' });
    expect((await as(world.admin).post(at(own))).body.code).toBe('invoice_void');
    expect((await as(world.admin).get(hq(world))).status).toBe(200);
  });
});

test('an organization without reminder settings reads the defaults', async () => {
  const owed = await owing();
  await settings(owed.world, { payment_plans_enabled: true });
  expect(
    (await as(owed.world.admin).get(`/api/organizations/${owed.world.organizationId}/dues-settings/`)).body,
  ).toMatchObject({
    reminder_days_before: [7, 1],
    dunning_interval_days: 14,
    dunning_max: 3,
  });
});
