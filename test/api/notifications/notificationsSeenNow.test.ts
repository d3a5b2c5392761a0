/** Tests that the bell shows what its reader may see at the moment of reading. */
import '../../../models/wireAreas.js';
import { inTenant } from '../../../models/database/tenancy.js';
import { notifications } from '../../../models/finances/notifications.js';
import { notify } from '../../../models/notifications/notify.js';
import { readMissed, readUnreadStates } from '../../../models/notifications/realtime/readForConnected.js';
import { apiWorld } from '../../support/apiWorld.js';
import { asOwner } from '../../support/owner.js';
import { countStatements } from '../../support/statements.js';
import { aMember, anInvoice, type Person } from '../../support/world.js';

const stage = apiWorld();
const LIST = '/api/notifications/';
const FIRST = '00000000-0000-7000-8000-000000000000';

interface Row {
  id: string;
  title: string;
  body: string;
  target_url: string;
}

let treasurer: Person;
beforeEach(async () => {
  const { organizationId, chapterId } = stage.world;
  await asOwner('DELETE FROM notifications WHERE organization_id = $1', [organizationId]);
  await asOwner(`UPDATE memberships SET role = 'member' WHERE chapter_id = $1`, [chapterId]);
  await showAmounts(true);
  treasurer = await aMember(organizationId, chapterId, 'officer');
});

const inWorld = <T>(work: () => Promise<T>) => inTenant(stage.world.organizationId, work);
const showAmounts = (shown: boolean) =>
  asOwner('UPDATE org_dues_settings SET officers_see_amounts = $2 WHERE organization_id = $1', [
    stage.world.organizationId,
    shown,
  ]);
const setRole = (of: Person, role: string) =>
  asOwner('UPDATE memberships SET role = $2 WHERE id = $1', [of.membershipId, role]);
const bell = async (of: Person) => (await stage.as(of).get<{ count: number; results: Row[] }>(LIST)).body.results;
const unread = async (of: Person) => (await stage.as(of).get<{ count: number }>(`${LIST}unread_count/`)).body.count;
const toActOn = async (of: Person) =>
  (await stage.as(of).get<{ count: number }>(`${LIST}action_required_count/`)).body.count;

/** Creates an invoice that the chapter owes and notifies its treasurer. */
async function aChapterInvoice(type = notifications.invoice_issued, dueIn = 10): Promise<string> {
  const { world } = stage;
  const id = await anInvoice(world, { chapterId: world.chapterId, membershipId: null, cents: 12_345, dueIn });
  await inWorld(() => notify(type, [id], { actor: null }));
  return id;
}

test('an officer sees amounts while the organization lets officers see them', async () => {
  await aChapterInvoice();
  expect((await bell(treasurer))[0]?.body).toContain('123.45 USD is due.');
  await showAmounts(false);
  const [row] = await bell(treasurer);
  expect(row?.title).toMatch(/^New invoice: /);
  expect(row?.body).toMatch(/is due on \d{4}-\d\d-\d\d\.$/);
  const [missed] = await inWorld(() => readMissed(treasurer.userId, FIRST));
  expect(missed?.json).not.toContain('123.45');
  await showAmounts(true);
  expect((await bell(treasurer))[0]?.body).toContain('123.45 USD is due.');
});

test('administrators and paying members see amounts even when officers do not', async () => {
  const { world } = stage;
  await setRole(treasurer, 'member');
  await aChapterInvoice();
  const own = await anInvoice(world, {
    chapterId: world.chapterId,
    membershipId: world.member.membershipId,
    cents: 999,
  });
  await inWorld(() => notify(notifications.invoice_issued, [own], { actor: null }));
  await showAmounts(false);
  expect((await bell(world.admin))[0]?.body).toContain('123.45 USD');
  expect((await bell(world.member))[0]?.body).toContain('9.99 USD');
});

test('notifications through an office disappear from lists and counts with the office and return with it', async () => {
  const { world } = stage;
  const id = await aChapterInvoice();
  const own = await anInvoice(world, { chapterId: treasurer.chapterId, membershipId: treasurer.membershipId });
  await inWorld(() => notify(notifications.invoice_issued, [own], { actor: null }));
  expect([(await bell(treasurer)).length, await unread(treasurer), await toActOn(treasurer)]).toEqual([2, 2, 2]);
  await setRole(treasurer, 'member');
  expect((await bell(treasurer)).map(({ target_url }) => target_url)).toEqual([`/invoices/${own}`]);
  expect([await unread(treasurer), await toActOn(treasurer)]).toEqual([1, 1]);
  expect(await inWorld(() => readMissed(treasurer.userId, FIRST))).toHaveLength(1);
  expect(await inWorld(() => readUnreadStates([treasurer.userId]))).toMatchObject([
    { unread_count: 1, action_required_count: 1 },
  ]);
  const marked = await stage.as(treasurer).post(`${LIST}mark_read/`, { mark_all: true });
  expect(marked.body).toEqual({ updated: 1, unread_count: 0 });
  await setRole(treasurer, 'officer');
  expect((await bell(treasurer)).map(({ target_url }) => target_url)).toEqual([`/invoices/${own}`, `/invoices/${id}`]);
  expect(await unread(treasurer)).toBe(1);
});

test('notifications for administrators disappear when the reader is no longer an administrator', async () => {
  const { organizationId, admin } = stage.world;
  await setRole(treasurer, 'member');
  await aChapterInvoice();
  expect(await bell(admin)).toHaveLength(1);
  const another = await aMember(organizationId, stage.world.otherChapterId);
  await asOwner(`INSERT INTO organization_admins (organization_id, user_id, title) VALUES ($1, $2, 'Deputy')`, [
    organizationId,
    another.userId,
  ]);
  const administers = (is: boolean) =>
    asOwner('UPDATE organization_admins SET is_active = $3 WHERE organization_id = $1 AND user_id = $2', [
      organizationId,
      admin.userId,
      is,
    ]);
  await administers(false);
  expect([(await bell(admin)).length, await unread(admin)]).toEqual([0, 0]);
  await administers(true);
});

test('an office in another chapter shows no notifications of the first chapter', async () => {
  const { otherChapterId } = stage.world;
  await aChapterInvoice();
  await setRole(treasurer, 'member');
  await asOwner(
    `INSERT INTO memberships (organization_id, user_id, chapter_id, role, status) VALUES ($1, $2, $3, 'officer', 'undergrad')`,
    [stage.world.organizationId, treasurer.userId, otherChapterId],
  );
  expect(await bell(treasurer)).toEqual([]);
});

test('the list is one statement for any number of rows that need an office', async () => {
  await aChapterInvoice();
  const ask = () => stage.as(treasurer).get(LIST);
  const few = await countStatements(ask);
  for (let n = 0; n < 24; n += 1) await aChapterInvoice();
  await showAmounts(false);
  expect([few, await countStatements(ask)]).toEqual([1, 1]);
  expect(await bell(treasurer)).toHaveLength(25);
});
