/** Bulk processes whose requester has lost the right before they begin: each ends as stopped_right_lost. */
import { MockActivityEnvironment } from '@temporalio/testing';
import { finishRollover, moveMembers } from '../../activities/organizations/rollovers.js';
import { startRelay } from '../../activities/relay.js';
import { createWorkers } from '../../activities/worker.js';
import { processId } from '../../api/processes/id.js';
import { config } from '../../config.js';
import { closeTemporal, temporal } from '../../gateways/temporal/client.js';
import { registerSearchAttributes } from '../../gateways/temporal/searchAttributes.js';
import { inPlatform } from '../../models/database/tenancy.js';
import { publishAlert } from '../../models/platform/alerts/publishAlert.js';
import { aStore } from '../gateways/storage.support.js';
import { apiWorld } from '../support/apiWorld.js';
import { aFoundation, aFoundationPerson } from '../support/foundation.js';
import { aGift, LAST_YEAR, lastYear } from '../support/gifts.js';
import { recordHistory } from '../support/histories.js';
import { uploadImport, workImport } from '../support/importing.js';
import { asOwner } from '../support/owner.js';
import { eventually } from '../support/platform.js';
import { aMember, anInvoice, aPlatformAdmin, type Person, type World } from '../support/world.js';

config.PAY_WAIT_SECONDS = 0;
aStore();
const stage = apiWorld();
const { world, other } = stage;
const environment = new MockActivityEnvironment();
const of = ({ organizationId }: World, rest: string) => `/api/organizations/${organizationId}/${rest}`;
const hq = (rest: string) => `/api/hq/dues/${world.organizationId}/${rest}`;
const GRADUATES = { academic_year: 2027, through_season: 'SUMMER' };

async function deputy({ organizationId, chapterId }: World): Promise<Person> {
  const person = await aMember(organizationId, chapterId, 'member', 'alumni');
  await asOwner('INSERT INTO organization_admins (organization_id, user_id) VALUES ($1, $2)', [
    organizationId,
    person.userId,
  ]);
  return person;
}

async function planApproval(by: Person): Promise<string> {
  await asOwner('INSERT INTO org_dues_settings (organization_id) VALUES ($1) ON CONFLICT DO NOTHING', [
    world.organizationId,
  ]);
  await asOwner('UPDATE org_dues_settings SET payment_plans_enabled = true WHERE organization_id = $1', [
    world.organizationId,
  ]);
  const member = await aMember(world.organizationId, world.chapterId);
  const first_due_date = new Date(Date.now() + 3 * 86_400_000).toISOString().slice(0, 10);
  const invoice = await anInvoice(world, { ...member, cents: 9_000, dueIn: 10 });
  const parts = { installment_count: 3, first_due_date, interval: 'monthly' };
  const body = { invoice, justification: 'Between two jobs.', ...parts };
  expect((await stage.as(member).post('/api/billing/me/plan-requests/', body)).status).toBe(201);
  return (await stage.as(by).post(hq('plan-requests/bulk-approve-in-policy/'), {})).body.workflow_id;
}

async function duesRun(by: Person): Promise<string> {
  const rate = 'INSERT INTO dues_rates (organization_id, term_id, status, amount_cents) VALUES ($1, $2, $3, $4)';
  await asOwner(rate, [world.organizationId, world.termId, 'undergrad', 12_500]);
  const due_date = new Date(Date.now() + 30 * 86_400_000).toISOString().slice(0, 10);
  const request = { term: world.termId, due_date };
  const { preview_hash } = (await stage.as(by).post(hq('runs/'), { ...request, dry_run: true })).body;
  return (await stage.as(by).post(hq('runs/'), { ...request, preview_hash })).body.workflow_id;
}

async function rollover(where: World, by: Person): Promise<string> {
  const graduate = await aMember(where.organizationId, where.chapterId);
  await asOwner('UPDATE memberships SET graduation_year = 2027 WHERE id = $1', [graduate.membershipId]);
  const client = stage.as(by);
  const { preview_hash } = (await client.post(of(where, 'rollovers/'), { ...GRADUATES, dry_run: true })).body;
  return (await client.post(of(where, 'rollovers/'), { ...GRADUATES, preview_hash })).body.id;
}

async function revert(by: Person): Promise<string> {
  const id = await rollover(other, other.admin);
  const input = { organizationId: other.organizationId, rolloverId: id };
  while (await environment.run(moveMembers, input));
  await environment.run(finishRollover, input);
  expect((await stage.as(by).post(`/api/rollovers/${id}/revert/`)).status).toBe(202);
  return `rollover-revert/${id}`;
}

async function importing(by: Person): Promise<string> {
  const [chapter] = await asOwner<{ name: string }>('SELECT name FROM chapters WHERE id = $1', [world.chapterId]);
  const content = `E-Mail,First name,Surname,Chapter\r\nnew@example.org,A,B,${chapter?.name}`;
  const upload = await uploadImport(stage.api.url, world, { content, token: world.admin.token });
  const id = upload.body['id'] as string;
  await workImport(world.organizationId, id);
  await stage.admin.post(`/api/imports/${id}/preview/`);
  await workImport(world.organizationId, id);
  const { preview_hash } = (await stage.admin.get(`/api/imports/${id}/`)).body;
  const body = { preview_hash, on_existing: 'skip' };
  expect((await stage.as(by).post(`/api/imports/${id}/process/`, body)).status).toBe(202);
  const [row] = await asOwner<{ runs: number }>('SELECT runs FROM bulk_imports WHERE id = $1', [id]);
  return `import/${id}/process/${row?.runs}`;
}

async function closing(by: Person): Promise<string> {
  const period = await stage.admin.post(of(world, 'recruitment-periods/'), {
    term: world.termId,
    name: 'Fall intake',
    opens_at: '2020-01-01T00:00:00.000Z',
    closes_at: '2040-01-01T00:00:00.000Z',
  });
  const path = (rest: string) => `/api/recruitment-periods/${period.body.id}/${rest}/`;
  await stage.admin.post(path('activate'));
  await aMember(world.organizationId, world.chapterId, 'member', 'pnm');
  const { preview_hash } = (await stage.as(by).post(path('close'), { dry_run: true })).body;
  expect((await stage.as(by).post(path('close'), { preview_hash })).status).toBe(202);
  return `recruitment-close/${period.body.id}/1`;
}

/** A run of annual receipts. The right to it is lost with the role in the foundation. */
async function annualRun(): Promise<{ workflowId: string; starter: Person }> {
  const foundation = await aFoundation(world);
  await aGift(world.organizationId, foundation, { at: lastYear() });
  const starter = await aFoundationPerson(world, foundation.foundationId, 'admin');
  const client = stage.as(starter);
  const address = '/api/foundation/annual-receipts/';
  const { preview_hash } = (await client.post(address, { tax_year: LAST_YEAR, dry_run: true })).body;
  return { workflowId: (await client.post(address, { tax_year: LAST_YEAR, preview_hash })).body.workflow_id, starter };
}

async function alert(userId: string): Promise<string> {
  const { id } = await inPlatform(() => publishAlert({ title: 'A', body: 'B', audience: 'admins' }, userId));
  return `platform-alert/${id}`;
}

test('each bulk process ends as stopped_right_lost when its requester lost the right before the first batch', async () => {
  await registerSearchAttributes();
  const [here, there, platform] = [await deputy(world), await deputy(other), await aPlatformAdmin()];
  const annual = await annualRun();
  const processes = {
    annualReceipts: annual.workflowId,
    planBulkApproval: await planApproval(here),
    issueDues: await duesRun(here),
    rollOver: `rollover/${await rollover(world, here)}`,
    revertRollover: await revert(there),
    importStep: await importing(here),
    recruitmentTurn: await closing(here),
    platformAlert: await alert(platform.userId),
  };
  await asOwner('DELETE FROM organization_admins WHERE user_id = ANY ($1)', [[here.userId, there.userId]]);
  await asOwner('DELETE FROM foundation_admins WHERE user_id = $1', [annual.starter.userId]);
  await asOwner('UPDATE users SET is_platform_admin = false WHERE id = $1', [platform.userId]);
  const workers = await createWorkers(['core', 'bulk']);
  const running = workers.run();
  const relay = startRelay();
  try {
    for (const [name, workflowId] of Object.entries(processes)) {
      const handle = temporal().workflow.getHandle(workflowId);
      await eventually(
        () => handle.describe().catch(() => null),
        (seen) => seen?.status.name === 'COMPLETED',
        60,
      );
      expect({ name, end: await handle.result() }).toEqual({ name, end: 'stopped_right_lost' });
      await recordHistory(workflowId, `${name}-right-lost`);
    }
    const story = await stage.admin.get(`/api/processes/${processId(processes.rollOver)}/`);
    expect(story.body).toMatchObject({ status: 'completed', stage: 'stopped_right_lost' });
  } finally {
    workers.shutdown();
    await running;
    await relay.stop();
    await closeTemporal();
  }
}, 180_000);
