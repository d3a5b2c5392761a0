/** Checks of one organization's ledger by a worker: what they examine, what they report, and how they end. */
import { MockActivityEnvironment } from '@temporalio/testing';
import { runLedgerCheck, startNextLedgerChecks, stopLedgerCheck } from '../../activities/finances/ledgerChecks.js';
import { temporal } from '../../gateways/temporal/client.js';
import { scheduleId } from '../../gateways/temporal/schedules.js';
import { rows } from '../../models/database/rows.js';
import { inTenant } from '../../models/database/tenancy.js';
import { checkTenantLedger } from '../../models/finances/ledger-checks/checkTenantLedger.js';
import { processId } from '../../api/processes/id.js';
import { startLedgerCheck } from '../../models/finances/ledger-checks/startLedgerCheck.js';
import type { NightlyCheckBatch } from '../../models/finances/ledger-checks/startNightlyChecks.js';
import { aMailbox } from '../support/accountMail.js';
import { apiWorld } from '../support/apiWorld.js';
import { recordHistory } from '../support/histories.js';
import { eventually } from '../support/platform.js';
import { asOwner } from '../support/owner.js';
import { queueWorkers } from '../support/queueWorkers.js';
import { lockWaits } from '../support/lockWaits.js';
import { deleteSchedules, restingSchedules } from '../support/schedules.js';
import { holdTransaction } from '../support/workerDies.js';
import { anInvoice, aPlatformAdmin, aWorld, type World } from '../support/world.js';

const stage = apiWorld();
queueWorkers(['bulk'], { relay: true });
const mailbox = aMailbox();
const { world, other } = stage;

const path = ({ organizationId }: World) => `/api/organizations/${organizationId}/ledger-checks/`;
const check = (where: World) => stage.as(where.admin).post(path(where));
const BROKEN = "an invoice's amounts are the sums of its lines, discounts, credit and payments";

/** Gives invoices credit that nothing paid for, which triggers would correct. */
async function breakInvoices({ organizationId }: World): Promise<void> {
  await asOwner('ALTER TABLE chapter_invoices DISABLE TRIGGER USER');
  await asOwner('UPDATE chapter_invoices SET credit_cents = 5 WHERE organization_id = $1', [organizationId]);
  await asOwner('ALTER TABLE chapter_invoices ENABLE TRIGGER USER');
}

beforeAll(async () => {
  for (const where of [world, other])
    for (let n = 0; n < (where === other ? 21 : 1); n += 1)
      await anInvoice(where, { chapterId: where.chapterId, membershipId: where.member.membershipId });
  await breakInvoices(other);
});

test('a check passes while another organization is broken, and its process is recorded', async () => {
  const { status, body } = await check(world);
  expect({ status, ...body }).toMatchObject({ status: 'passed', finished_at: expect.any(String) });
  expect(status).toBe(201);
  expect(body.rules).toContainEqual({ name: BROKEN, examined: 1, violations: [] });
  expect(body.examined).toBeGreaterThan(10);
  expect((await stage.admin.get(`${path(world)}${body.id}/`)).body).toEqual(body);
  expect((await stage.admin.get(`${path(world)}?status=passed`)).body).toMatchObject({ count: 1, results: [body] });
  await recordHistory(`ledger-check/${body.id}`, 'ledgerCheck-passed');
});

test('a broken rule is reported with the ids and cents of the first 20 rows', async () => {
  const { status, body } = await check(other);
  expect([status, body.status]).toEqual([201, 'failed']);
  const { examined, violations } = body.rules.find(({ name }: { name: string }) => name === BROKEN);
  expect([examined, violations.length]).toEqual([21, 20]);
  expect(violations[0]).toMatchObject({ organization_id: other.organizationId, credit_cents: 5, credits_cents: 0 });
  const columns = body.rules.flatMap((rule: { violations: object[] }) => rule.violations.flatMap(Object.keys));
  expect(columns.filter((column: string) => !/_(id|cents)$/.test(column))).toEqual([]);
  await recordHistory(`ledger-check/${body.id}`, 'ledgerCheck-failed');
});

test('a check that is cancelled while it runs has no result', async () => {
  const release = await holdTransaction('LOCK TABLE chapter_invoices IN ACCESS EXCLUSIVE MODE', []);
  const { id, workflowId } = await inTenant(world.organizationId, () => startLedgerCheck(world.admin.userId));
  await eventually(lockWaits, (waits) => waits.length > 0);
  const { body } = await stage.admin.post(`/api/processes/${processId(workflowId)}/cancel/`);
  await release();
  expect(body.outcome).toBe('cancelled');
  const ended = await stage.admin.get(`${path(world)}${id}/`);
  expect(ended.body).toMatchObject({ status: 'cancelled', examined: 0, rules: [], finished_at: expect.any(String) });
  await recordHistory(workflowId, 'ledgerCheck-cancelled');
});

test('only admins check a ledger, and the check of another organization does not exist', async () => {
  const { body } = await stage.as(other.admin).get(path(other));
  expect((await stage.officer.post(path(world))).status).toBe(403);
  expect((await stage.officer.get(path(world))).status).toBe(403);
  expect((await stage.admin.get(`${path(world)}${body.results[0].id}/`)).status).toBe(404);
});

test('one check runs at a time; its steps may run twice; a cancelled check gets no result', async () => {
  const { organizationId } = world;
  const start = async () =>
    (await asOwner<{ id: string }>('INSERT INTO ledger_checks (organization_id) VALUES ($1) RETURNING id', [
      organizationId,
    ])) as [{ id: string }];
  const twice = async (step: typeof runLedgerCheck | typeof stopLedgerCheck, checkId: string) => {
    const environment = new MockActivityEnvironment();
    const run = () => environment.run<[typeof input], unknown, (given: typeof input) => Promise<unknown>>(step, input);
    const input = { organizationId, checkId };
    return [await run(), await run()];
  };
  const read = async (id: string) => (await stage.admin.get(`${path(world)}${id}/`)).body;

  const [{ id: first }] = await start();
  expect(await check(world)).toMatchObject({ status: 409, body: { code: 'check_running' } });
  expect(await twice(runLedgerCheck, first)).toEqual(['passed', 'passed']);
  expect(await read(first)).toMatchObject({ status: 'passed' });

  const [{ id: second }] = await start();
  await twice(stopLedgerCheck, second);
  expect(await twice(runLedgerCheck, second)).toEqual(['cancelled', 'cancelled']);
  expect(await read(second)).toMatchObject({ status: 'cancelled', examined: 0, rules: [] });
});

test('a check that examines nothing fails while the organization has invoices', async () => {
  const blind = () =>
    inTenant(
      world.organizationId,
      async () => {
        await rows(`SELECT set_config('app.organization_id', '', true)`);
        return checkTenantLedger();
      },
      { oneSnapshot: true },
    );
  expect(await blind()).toMatchObject({ passed: false, examined: 0 });
});

test('all rules read one snapshot', async () => {
  const count = () => rows('SELECT count(*) FROM chapter_invoices');
  const [before, after] = await inTenant(
    world.organizationId,
    async () => {
      const seen = await count();
      await anInvoice(world, { chapterId: world.chapterId, membershipId: world.member.membershipId });
      return [seen, await count()];
    },
    { oneSnapshot: true },
  );
  expect(after).toEqual(before);
  expect(await inTenant(world.organizationId, count)).not.toEqual(before);
});

describe('nightly checks', () => {
  const night = new Date().toISOString().slice(0, 10);
  const nightly = () =>
    asOwner<{ id: string; organization_id: string; status: string }>(
      'SELECT id, organization_id, status FROM ledger_checks WHERE night IS NOT NULL ORDER BY organization_id',
    );
  const alertsOf = (userId: string) =>
    asOwner<{ organization_id: string; subject_id: string }>(
      `SELECT organization_id, subject_id FROM notifications
        WHERE notification_type = 'ledger_check_failed' AND recipient_id = $1`,
      [userId],
    );
  const run = async () => {
    const handle = temporal().schedule.getHandle(scheduleId('check-ledgers'));
    const { numActionsTaken: before } = (await handle.describe()).info;
    await handle.trigger();
    const { info } = await eventually(
      () => handle.describe(),
      (described) => described.info.numActionsTaken > before,
    );
    const { workflow } = info.recentActions.at(-1)?.action ?? {};
    const { workflowId } = workflow as { workflowId: string };
    expect(await temporal().workflow.getHandle(workflowId).result()).toBe('checked');
    return workflowId;
  };

  afterAll(deleteSchedules);

  test('a night checks each active organization once, and tells platform admins once of a broken ledger', async () => {
    const platformAdmin = await aPlatformAdmin();
    const [busy, suspended] = [await aWorld({ members: 1 }), await aWorld({ members: 1 })];
    // With these, the organizations fill more than one batch.
    const sound = [world, await aWorld({ members: 1 }), await aWorld({ members: 1 }), await aWorld({ members: 1 })];
    await asOwner('INSERT INTO ledger_checks (organization_id) VALUES ($1)', [busy.organizationId]);
    await asOwner('UPDATE organizations SET is_active = false WHERE id = $1', [suspended.organizationId]);
    await restingSchedules();

    const workflowId = await run();
    const checked = await nightly();
    expect(new Map(checked.map(({ organization_id, status }) => [organization_id, status]))).toEqual(
      new Map([[other.organizationId, 'failed'], ...sound.map((one) => [one.organizationId, 'passed'] as const)]),
    );
    await recordHistory(workflowId, 'checkLedgersEverywhere-checked');

    const failed = checked.find(({ status }) => status === 'failed');
    expect(await alertsOf(platformAdmin.userId)).toEqual([
      { organization_id: other.organizationId, subject_id: failed?.id },
    ]);
    const mails = await mailbox.to(platformAdmin.email);
    expect(mails).toMatchObject([{ subject: 'A ledger check failed' }]);
    expect(mails[0]?.text).toContain(`/ledger-checks/${failed?.id}?organization=${other.organizationId}`);
    expect(mails[0]?.text).toContain(`Organization: Organization ${other.slug}`);
    expect(mails[0]?.text).not.toMatch(/cents|credit|\$/);
    const as = stage.as(platformAdmin, { 'x-organization-id': other.organizationId });
    expect((await as.get('/api/notifications/')).body.results).toMatchObject([
      { title: `The ledger check of Organization ${other.slug} failed`, event_type: 'platform_alert' },
    ]);
    expect((await stage.as(other.admin).get('/api/notifications/')).body.results).toEqual([]);

    await run();
    expect(await nightly()).toEqual(checked);
    expect(await alertsOf(platformAdmin.userId)).toHaveLength(1);
    expect(await mailbox.to(platformAdmin.email)).toHaveLength(1);
  });

  test('a nightly check has no requester, and writes nothing into the audit log', async () => {
    const { results } = (await stage.admin.get(`${path(world)}?status=passed`)).body;
    const byNight = results.find((one: { night: string | null }) => one.night !== null);
    const byPerson = results.find((one: { requested_by: string | null }) => one.requested_by !== null);
    expect(byNight).toMatchObject({ night, requested_by: null, status: 'passed' });
    expect(byPerson).toMatchObject({ night: null, requested_by: world.admin.userId });
    const entries = (id: string) => asOwner('SELECT action FROM audit_log WHERE subject_id = $1', [id]);
    expect(await entries(byNight.id)).toEqual([]);
    expect(await entries(byPerson.id)).toEqual([{ action: 'ledger_check.created' }]);
  });

  test('the steps may run twice: one check, one notification; the newest 90 nights are kept', async () => {
    const platformAdmin = await aPlatformAdmin();
    const [last] = await asOwner<{ id: string }>('SELECT id FROM organizations ORDER BY id DESC LIMIT 1');
    const broken = await aWorld({ members: 1 });
    await anInvoice(broken, { chapterId: broken.chapterId, membershipId: broken.member.membershipId });
    await breakInvoices(broken);
    await asOwner(
      `INSERT INTO ledger_checks (organization_id, night, status, finished_at)
       SELECT $1, current_date - n, 'passed', now() FROM generate_series(1, 95) n`,
      [broken.organizationId],
    );
    const environment = new MockActivityEnvironment();
    const start = () =>
      environment.run<[string | null], NightlyCheckBatch, typeof startNextLedgerChecks>(
        startNextLedgerChecks,
        last?.id ?? null,
      );
    const first = await start();
    const [input] = first.checks;
    expect(first).toEqual({
      checks: [{ organizationId: broken.organizationId, checkId: expect.any(String) }],
      next: null,
    });
    expect(await start()).toEqual(first);
    const [kept] = await asOwner(
      `SELECT count(*)::int AS nights, (current_date - min(night)) AS oldest FROM ledger_checks WHERE organization_id = $1`,
      [broken.organizationId],
    );
    expect(kept).toEqual({ nights: 90, oldest: 89 });

    const check = () => environment.run(runLedgerCheck, input as NonNullable<typeof input>);
    expect([await check(), await check()]).toEqual(['failed', 'failed']);
    expect(await alertsOf(platformAdmin.userId)).toHaveLength(1);
    expect(await mailbox.to(platformAdmin.email)).toHaveLength(1);
    expect(await start()).toEqual({ checks: [], next: null });
  });
});
