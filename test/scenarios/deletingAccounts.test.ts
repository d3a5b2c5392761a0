/** The deletion of an account with a real worker: the seven days before it, its cancellation, and what remains. */
import { MockActivityEnvironment } from '@temporalio/testing';
import {
  beginErasure,
  eraseInOrganizations,
  erasePerson,
  farewellIsClosed,
} from '../../activities/identity/deletion.js';
import type { Catcher } from '../../development/standins/mail/catcher.js';
import { startMailServer, stopMailServer } from '../support/accountMail.js';
import { temporal } from '../../gateways/temporal/client.js';
import { inTenant } from '../../models/database/tenancy.js';
import { recordPayment } from '../../models/finances/recordPayment.js';
import { listErasures } from '../../models/identity/deletion/erasePerson.js';
import { UNDO } from '../../workflows/contracts/deleteAccount.js';
import { deleteAccount } from '../../workflows/contracts/index.js';
import { Client } from '../support/api.js';
import { recordHistory } from '../support/histories.js';
import { asOwner } from '../support/owner.js';
import { countStatements } from '../support/statements.js';
import { eventually, type Platform, startPlatform } from '../support/platform.js';
import { aMember, anInvoice, aUser, aWorld, type Person, type World } from '../support/world.js';

let platform: Platform;
let mailbox: Catcher;
let world: World;
let other: World;
let person: Person;
let client: Client;

beforeAll(async () => {
  mailbox = await startMailServer();
  platform = await startPlatform();
  [world, other] = [await aWorld(), await aWorld()];
});
afterAll(async () => {
  await platform.close();
  await stopMailServer(mailbox);
});
beforeEach(async () => {
  person = await aMember(world.organizationId, world.chapterId);
  client = new Client(platform.api.url, { token: person.token });
});

interface Wish {
  id: string;
  handle: ReturnType<ReturnType<typeof temporal>['workflow']['getHandle']>;
}

/** Requests the deletion. @returns its process, which waits */
async function wish(): Promise<Wish> {
  expect((await client.post('/api/auth/me/deletion/')).status).toBe(202);
  const [row] = await asOwner<{ id: string }>(
    "SELECT id FROM account_deletions WHERE user_id = $1 AND status = 'requested'",
    [person.userId],
  );
  const id = row?.id as string;
  const handle = temporal().workflow.getHandle(deleteAccount.workflowId({ organizationId: null, deletionId: id }));
  await eventually(
    () => timersOf(handle),
    (timers) => timers.length > 0,
  );
  return { id, handle };
}

/** Durations in seconds of the timers that a process has started. */
async function timersOf(handle: Wish['handle']): Promise<number[]> {
  const { events } = await handle.fetchHistory().catch(() => ({ events: [] }));
  return (events ?? []).flatMap(({ timerStartedEventAttributes: timer }) =>
    timer ? [Number(timer.startToFireTimeout?.seconds)] : [],
  );
}

/** Moves the deletion's date in the row as if seven days had passed, and signals the process to look again. */
async function pass({ id, handle }: Wish): Promise<void> {
  await asOwner("UPDATE account_deletions SET erases_at = now() - interval '1 second' WHERE id = $1", [id]);
  await handle.signal(UNDO);
}

const invoicesOf = () =>
  asOwner<{ status: string; payer_name: string | null; paid_cents: number }>(
    `SELECT i.status, i.payer_name, i.paid_cents::int AS paid_cents FROM chapter_invoices i
       JOIN memberships m ON m.id = i.membership_id WHERE m.user_id = $1 ORDER BY i.id`,
    [person.userId],
  );
const invoice = (tenant: World, membershipId: string, dueIn = 14) =>
  anInvoice(tenant, { chapterId: tenant.chapterId, membershipId, dueIn });
const pay = (invoiceId: string, amountCents: number) =>
  inTenant(world.organizationId, () =>
    recordPayment({ invoiceId, processorId: null, processorPaymentId: `p-${invoiceId}`, intentId: null, amountCents }),
  );

/** Four invoices in two organizations: open, partially paid, paid, and one of a former membership elsewhere. */
async function aHistory(): Promise<void> {
  const [elsewhere] = await asOwner<{ id: string }>(
    `INSERT INTO memberships (organization_id, user_id, chapter_id, status) VALUES ($1, $2, $3, 'inactive') RETURNING id`,
    [other.organizationId, person.userId, other.chapterId],
  );
  await invoice(world, person.membershipId);
  await pay(await invoice(world, person.membershipId), 4_000);
  await pay(await invoice(world, person.membershipId), 10_000);
  await invoice(other, elsewhere?.id as string);
  await asOwner('INSERT INTO user_emails (user_id, email, is_verified) VALUES ($1, $2, true)', [
    person.userId,
    `second-${person.email}`,
  ]);
}

const ledgerOf = () =>
  asOwner(
    `SELECT p.id, p.amount_cents, p.status FROM payment_records p JOIN chapter_invoices i ON i.id = p.invoice_id
       JOIN memberships m ON m.id = i.membership_id WHERE m.user_id = $1 ORDER BY p.id`,
    [person.userId],
  );

async function expectErased(): Promise<void> {
  const [user] = await asOwner('SELECT * FROM users WHERE id = $1', [person.userId]);
  expect(user).toMatchObject({
    email: `erased-${person.userId}@erased.invalid`,
    first_name: 'Deleted',
    last_name: 'account',
    phone_number: null,
    password_hash: null,
    is_platform_admin: false,
    disabled_at: expect.any(Date),
  });
  for (const [table, column] of listErasures().flatMap(({ deletedTables: deleted = {} }) => Object.entries(deleted)))
    expect([table, await asOwner(`SELECT 1 FROM ${table} WHERE ${column} = $1`, [person.userId])]).toEqual([table, []]);
  const sessions = await asOwner<{ open: boolean; device: boolean }>(
    `SELECT revoked_at IS NULL AS open, user_agent IS NOT NULL OR ip_address IS NOT NULL AS device
       FROM sessions WHERE user_id = $1`,
    [person.userId],
  );
  expect(sessions.every(({ open, device }) => !open && !device)).toBe(true);
  const standing = await asOwner("SELECT 1 FROM memberships WHERE user_id = $1 AND status <> 'inactive'", [
    person.userId,
  ]);
  expect(standing).toEqual([]);
}

test('after seven days the account is erased, its invoices keep the name, and the ledger is unchanged', async () => {
  await aHistory();
  const name = `First Last ${person.email.split('@')[0]}`;
  const ledger = await ledgerOf();
  const { code } = (await client.post('/api/billing/me/good-standing/', { days: 90 })).body;
  const proven = async () => (await new Client(platform.api.url).get(`/api/public/good-standing/?code=${code}`)).body;
  const pendingDeletion = await wish();
  expect(await proven()).toMatchObject([{ name }]);
  expect((await timersOf(pendingDeletion.handle))[0]).toBeGreaterThan(7 * 86_400 - 60);
  expect((await invoicesOf()).every(({ payer_name }) => payer_name === null)).toBe(true);
  expect((await client.get('/api/auth/me/')).status).toBe(200);

  await pass(pendingDeletion);
  expect(await pendingDeletion.handle.result()).toBe('erased');
  await recordHistory(pendingDeletion.handle.workflowId, 'deleteAccount-erased');
  expect(await invoicesOf()).toEqual([
    { status: 'void', payer_name: name, paid_cents: 0 },
    { status: 'partially_paid', payer_name: name, paid_cents: 4_000 },
    { status: 'paid', payer_name: name, paid_cents: 10_000 },
    { status: 'void', payer_name: name, paid_cents: 0 },
  ]);
  expect(await ledgerOf()).toEqual(ledger);
  const [entry] = await asOwner<{ after: object }>(
    `SELECT after FROM audit_log WHERE action = 'account.deleted' AND subject_id = $1`,
    [person.userId],
  );
  expect(entry?.after).toMatchObject({ named_invoices: 3, voided_invoices: 1 });
  await expectErased();
  expect(await proven()).toEqual([]);
  expect((await client.get('/api/auth/me/')).body.code).toBe('session_ended');
  const subjects = mailbox.mails.list(person.email).map(({ subject }) => subject);
  expect(subjects.filter((subject) => subject.startsWith('Your account'))).toHaveLength(2);
  // The histories that Temporal retains contain no personal data.
  const history = JSON.stringify(await pendingDeletion.handle.fetchHistory());
  for (const secret of [person.email, name]) expect(history).not.toContain(secret);
});

test('a person who cancels the deletion within seven days keeps everything', async () => {
  await aHistory();
  const pendingDeletion = await wish();
  expect((await client.delete('/api/auth/me/deletion/')).status).toBe(204);
  expect(await pendingDeletion.handle.result()).toBe('cancelled');
  await recordHistory(pendingDeletion.handle.workflowId, 'deleteAccount-undone');
  expect((await client.get('/api/auth/me/')).status).toBe(200);
  expect((await invoicesOf())[0]).toEqual({ status: 'open', payer_name: null, paid_cents: 0 });
});

test('a signal alone does not make the deletion run earlier', async () => {
  const { handle, id } = await wish();
  await handle.signal(UNDO);
  await eventually(
    () => timersOf(handle),
    (timers) => timers.length === 2,
  );
  expect(await asOwner('SELECT status FROM account_deletions WHERE id = $1', [id])).toEqual([{ status: 'requested' }]);
  const early = new MockActivityEnvironment().run(beginErasure, { organizationId: null, deletionId: id });
  await expect(early).rejects.toThrow('not over');
  await client.delete('/api/auth/me/deletion/');
  await handle.result();
});

test('a person who became the only admin in the meantime keeps the account and is notified', async () => {
  const tenant = await aWorld();
  const pendingDeletion = await wish();
  await asOwner('INSERT INTO organization_admins (organization_id, user_id) VALUES ($1, $2)', [
    tenant.organizationId,
    person.userId,
  ]);
  await asOwner('UPDATE organization_admins SET is_active = false WHERE organization_id = $1 AND user_id <> $2', [
    tenant.organizationId,
    person.userId,
  ]);
  await pass(pendingDeletion);
  expect(await pendingDeletion.handle.result()).toBe('refused');
  expect((await client.get('/api/auth/me/')).status).toBe(200);
  expect(await asOwner('SELECT status FROM account_deletions WHERE id = $1', [pendingDeletion.id])).toEqual([
    { status: 'refused' },
  ]);
});

test('the deletion does not visit organizations that have no rows of the person', async () => {
  await aHistory();
  const [row] = await asOwner<{ id: string }>(
    "INSERT INTO account_deletions (user_id, erases_at, status) VALUES ($1, now(), 'erasing') RETURNING id",
    [person.userId],
  );
  const input = { organizationId: null, deletionId: row?.id as string };
  const erase = () => new MockActivityEnvironment().run(eraseInOrganizations as never, ...([input, null] as never[]));
  await erase();
  // The relay of the platform may send a statement meanwhile: the smallest of three counts is the erasure's own.
  const count = async () => {
    const counts: number[] = [];
    for (let n = 0; n < 3; n += 1) counts.push(await countStatements(erase));
    return Math.min(...counts);
  };
  const before = await count();
  for (let n = 0; n < 3; n += 1) await aWorld();
  expect(await count()).toBe(before);
});

test('every step of the deletion changes nothing when it runs a second time', async () => {
  await aHistory();
  const office = await aUser();
  await asOwner('INSERT INTO organization_admins (organization_id, user_id) VALUES ($1, $2), ($1, $3)', [
    other.organizationId,
    person.userId,
    office,
  ]);
  await asOwner(
    `INSERT INTO regional_admins (organization_id, user_id, region_id, role) VALUES ($1, $2, $3, 'coordinator')`,
    [world.organizationId, person.userId, world.regionId],
  );
  const [row] = await asOwner<{ id: string }>(
    'INSERT INTO account_deletions (user_id, erases_at) VALUES ($1, now()) RETURNING id',
    [person.userId],
  );
  const input = { organizationId: null, deletionId: row?.id as string };
  const twice = async <T>(step: () => Promise<T>): Promise<void> => {
    const first = await step();
    const before = await everything();
    expect(await step()).toEqual(first);
    expect(await everything()).toEqual(before);
  };
  const run = <A extends unknown[], T>(step: (...given: A) => Promise<T>, ...given: A): Promise<T> =>
    new MockActivityEnvironment().run(step as never, ...(given as unknown as never[]));

  await twice(() => run(beginErasure, input));
  await twice(() => run(eraseInOrganizations, input, null));
  await asOwner("UPDATE account_notices SET outcome = 'sent', closed_at = now() WHERE user_id = $1", [person.userId]);
  await twice(() => run(farewellIsClosed, input));
  await twice(() => run(erasePerson, input));
  await expectErased();
  const offices = await asOwner<{ is_active: boolean }>(
    `SELECT is_active FROM organization_admins WHERE user_id = $1
      UNION ALL SELECT is_active FROM regional_admins WHERE user_id = $1`,
    [person.userId],
  );
  expect(offices).toEqual([{ is_active: false }, { is_active: false }]);
});

/** Reads everything that a step could have written about the person. */
async function everything() {
  const of = (text: string) => asOwner(text, [person.userId]);
  return {
    user: await of('SELECT email, disabled_at FROM users WHERE id = $1'),
    deletion: await of('SELECT status, closed_at FROM account_deletions WHERE user_id = $1'),
    memberships: await of('SELECT id, status, version FROM memberships WHERE user_id = $1 ORDER BY id'),
    invoices: await invoicesOf(),
    notices: await of('SELECT id FROM account_notices WHERE user_id = $1 ORDER BY id'),
    sessions: await of('SELECT id, revoked_at FROM sessions WHERE user_id = $1 ORDER BY id'),
    audit: await of('SELECT count(*) FROM audit_log WHERE subject_id = $1'),
  };
}
