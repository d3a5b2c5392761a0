/** Checks of one organization's ledger by a worker: what they examine, what they report, and how they end. */
import { MockActivityEnvironment } from '@temporalio/testing';
import { runLedgerCheck, stopLedgerCheck } from '../../activities/finances/ledgerChecks.js';
import { rows } from '../../models/database/rows.js';
import { inTenant } from '../../models/database/tenancy.js';
import { checkTenantLedger } from '../../models/finances/ledger-checks/checkTenantLedger.js';
import { processId } from '../../api/processes/id.js';
import { startLedgerCheck } from '../../models/finances/ledger-checks/startLedgerCheck.js';
import { apiWorld } from '../support/apiWorld.js';
import { recordHistory } from '../support/histories.js';
import { eventually } from '../support/platform.js';
import { asOwner } from '../support/owner.js';
import { queueWorkers } from '../support/queueWorkers.js';
import { lockWaits } from '../support/lockWaits.js';
import { holdTransaction } from '../support/workerDies.js';
import { anInvoice, type World } from '../support/world.js';

const stage = apiWorld();
queueWorkers(['bulk'], { relay: true });
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
  const { id, workflowId } = await inTenant(world.organizationId, startLedgerCheck);
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
