import { MockActivityEnvironment } from '@temporalio/testing';
import { listOrganizationsToMark, markNextOverduePage } from '../../activities/finances/overdue.js';
import { sequelize } from '../../models/database/connection.js';
import { asOwner, closeOwner } from '../support/owner.js';
import { countStatements } from '../support/statements.js';
import { anInvoice, aWorld, type World } from '../support/world.js';

let world: World;

beforeEach(async () => {
  world = await aWorld();
});
afterAll(async () => {
  await closeOwner();
  await sequelize.close();
});

const invoice = (dueIn: number, cents?: number) =>
  anInvoice(world, {
    chapterId: world.chapterId,
    membershipId: world.member.membershipId,
    dueIn,
    ...(cents ? { cents } : {}),
  });
const statusOf = async (id: string) =>
  (await asOwner<{ status: string }>('SELECT status FROM chapter_invoices WHERE id = $1', [id]))[0]?.status;
const inTimezone = (timezone: string) =>
  asOwner('UPDATE organizations SET timezone = $2 WHERE id = $1', [world.organizationId, timezone]);
const count = async (table: string) =>
  (
    await asOwner<{ n: number }>(`SELECT count(*)::int AS n FROM ${table} WHERE organization_id = $1`, [
      world.organizationId,
    ])
  )[0]?.n;

/** The organization's local date as the process gets it, or undefined when the organization has nothing to mark. */
async function listedDay(): Promise<string | undefined> {
  let after: string | null = null;
  do {
    const page = await listOrganizationsToMark(after);
    const found = page.organizations.find(({ organizationId }) => organizationId === world.organizationId);
    if (found) return found.day;
    after = page.next;
  } while (after);
  return undefined;
}

const markPage = (input: { organizationId: string; day: string }): Promise<number> =>
  new MockActivityEnvironment().run<[typeof input], number, typeof markNextOverduePage>(markNextOverduePage, input);

async function markAll(day?: string): Promise<number> {
  const on = day ?? (await listedDay()) ?? '2000-01-01';
  let marked = 0;
  for (;;) {
    const page = await markPage({ organizationId: world.organizationId, day: on });
    if (page === 0) return marked;
    marked += page;
  }
}

test('an open invoice whose due date is past becomes overdue, with one notice and an entry in the audit log', async () => {
  const id = await invoice(-1);
  expect(await markAll()).toBe(1);
  expect(await statusOf(id)).toBe('overdue');
  expect(await count('invoice_reminders')).toBe(1);
  expect(
    await asOwner('SELECT action FROM audit_log WHERE organization_id = $1 AND subject_id = $2', [
      world.organizationId,
      id,
    ]),
  ).toEqual([{ action: 'invoice.marked_overdue' }]);
});

test('a partially paid invoice is not marked overdue', async () => {
  const id = await invoice(-1);
  await asOwner(
    `INSERT INTO payment_records (organization_id, invoice_id, processor_payment_id, amount_cents, status, paid_at)
     VALUES ($1, $2, 'cheque', 100, 'succeeded', now())`,
    [world.organizationId, id],
  );
  expect(await statusOf(id)).toBe('partially_paid');
  expect(await listedDay()).toBeUndefined();
  expect(await markAll()).toBe(0);
  expect(await statusOf(id)).toBe('partially_paid');
});

test('an invoice that is due today, paid or void stays as it is', async () => {
  const today = await invoice(0);
  const paid = await invoice(-5);
  await asOwner(
    `INSERT INTO payment_records (organization_id, invoice_id, processor_payment_id, amount_cents, status, paid_at)
     VALUES ($1, $2, 'cheque', 10000, 'succeeded', now())`,
    [world.organizationId, paid],
  );
  const voided = await invoice(-5);
  await asOwner("UPDATE chapter_invoices SET status = 'void', voided_at = now(), balance_due_cents = 0 WHERE id = $1", [
    voided,
  ]);
  expect(await listedDay()).toBeUndefined();
  const [row] = await asOwner<{ day: string }>("SELECT to_char(now() AT TIME ZONE 'UTC', 'YYYY-MM-DD') AS day");
  expect(await markAll(row?.day)).toBe(0);
  expect([await statusOf(today), await statusOf(paid), await statusOf(voided)]).toEqual(['open', 'paid', 'void']);
});

test('the time zone of the organization decides what today is', async () => {
  // One of these two time zones is always a day ahead of the other.
  const [row] = await asOwner<{ east: string; west: string }>(
    `SELECT to_char(now() AT TIME ZONE 'Pacific/Kiritimati', 'YYYY-MM-DD') AS east, to_char(now() AT TIME ZONE 'Etc/GMT+12', 'YYYY-MM-DD') AS west`,
  );
  const { east, west } = row as { east: string; west: string };
  expect(east > west).toBe(true);
  const id = await invoice(0);
  await asOwner('UPDATE chapter_invoices SET due_date = $2, issue_date = $2 WHERE id = $1', [id, west]);

  await inTimezone('Etc/GMT+12');
  expect(await listedDay()).toBeUndefined();
  await inTimezone('Pacific/Kiritimati');
  expect(await listedDay()).toBe(east);
});

test('an unknown time zone counts as UTC and does not delay the marking of others', async () => {
  await inTimezone('Mars/Olympus_Mons');
  await invoice(-2);
  expect(await listedDay()).toMatch(/^\d{4}-\d\d-\d\d$/);
  expect(await markAll()).toBe(1);
});

test('a date that the organization has not reached yet marks no invoice early', async () => {
  const id = await invoice(3);
  expect(await markAll('2999-01-01')).toBe(0);
  expect(await statusOf(id)).toBe('open');
});

test('a frozen invoice is not marked overdue', async () => {
  const [frozen, other] = [await invoice(-1), await invoice(-1)];
  await asOwner(
    `CREATE OR REPLACE FUNCTION app.invoice_is_frozen(p_organization uuid, p_invoice uuid, p_today date) RETURNS boolean
       LANGUAGE sql STABLE AS $$ SELECT p_invoice = '${frozen}' $$`,
  );
  await markAll();
  await asOwner(
    `CREATE OR REPLACE FUNCTION app.invoice_is_frozen(p_organization uuid, p_invoice uuid, p_today date) RETURNS boolean
       LANGUAGE sql STABLE AS $$ SELECT false $$`,
  );
  expect([await statusOf(frozen), await statusOf(other)]).toEqual(['open', 'overdue']);
});

test('marking twice, or by several processes at once, marks each invoice and writes each notice once', async () => {
  for (let n = 0; n < 6; n += 1) await invoice(-1);
  const day = (await listedDay()) as string;
  const marked = await Promise.all([markAll(day), markAll(day), markAll(day)]);
  expect(marked.reduce((sum, part) => sum + part, 0)).toBe(6);
  expect(await markAll(day)).toBe(0);
  expect(await count('invoice_reminders')).toBe(6);
});

test('the payer is notified once, in the transaction that marks the invoice, and no mail process of its own starts', async () => {
  const ids = [await invoice(-1), await invoice(-1)];
  await markAll();
  // Paid and refunded, it becomes overdue again: the payer was notified already.
  await asOwner('UPDATE chapter_invoices SET overdue_at = NULL WHERE id = $1', [ids[0]]);
  expect(await markAll()).toBe(1);
  expect(
    await asOwner('SELECT subject_id, recipient_id FROM notifications WHERE organization_id = $1 ORDER BY subject_id', [
      world.organizationId,
    ]),
  ).toEqual(ids.toSorted().map((id) => ({ subject_id: id, recipient_id: world.member.userId })));
  expect(
    await asOwner('SELECT DISTINCT process FROM outbox WHERE organization_id = $1', [world.organizationId]),
  ).toEqual([{ process: 'notificationDelivery' }]);
});

test('a batch of invoices is marked and notified in as many statements as one invoice', async () => {
  await invoice(-1);
  const one = await countStatements(() => markAll('2999-01-01'));
  for (let n = 0; n < 10; n += 1) await invoice(-1);
  expect(await countStatements(() => markAll('2999-01-01'))).toBe(one);
});

test('invoices of an inactive organization are not marked overdue', async () => {
  await invoice(-1);
  await asOwner('UPDATE organizations SET is_active = false WHERE id = $1', [world.organizationId]);
  expect(await listedDay()).toBeUndefined();
});
