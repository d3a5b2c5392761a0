/** Tests bulk processes whose confirmer loses the right: finished changes stay, and the row records the stop. */
import { MockActivityEnvironment } from '@temporalio/testing';
import { finishDues, issueNextDues } from '../../../activities/finances/issueDues.js';
import { grantPlans } from '../../../activities/finances/planBulkApproval.js';
import { settleApplicants } from '../../../activities/intake/recruitmentPeriods.js';
import { finishImportStep, takeLines } from '../../../activities/organizations/imports.js';
import {
  finishRevert,
  finishRollover,
  moveMembers,
  returnMembers,
} from '../../../activities/organizations/rollovers.js';
import { moveNextFiles, settleStorageMigration } from '../../../activities/organizations/storageMigrations.js';
import { tellNext } from '../../../activities/platform/alerts.js';
import { config } from '../../../config.js';
import { inPlatform, inTenant } from '../../../models/database/tenancy.js';
import { issueNextChapters } from '../../../models/finances/dues-runs/issuePlanned.js';
import { approveNext } from '../../../models/finances/payment-plans/approveNext.js';
import { beginErasure } from '../../../models/identity/deletion/beginErasure.js';
import { holdsRight } from '../../../models/organizations/holdsRight.js';
import { processNextLines } from '../../../models/organizations/imports/processNextLines.js';
import { undoNextLines } from '../../../models/organizations/imports/undoNextLines.js';
import type { ImportStep } from '../../../workflows/contracts/importStep.js';
import { aStore } from '../../gateways/storage.support.js';
import { apiWorld } from '../../support/apiWorld.js';
import { uploadImport, workImport } from '../../support/importing.js';
import { asOwner } from '../../support/owner.js';
import { aMember, anInvoice, aPlatformAdmin, aUser, type Person } from '../../support/world.js';

config.PAY_WAIT_SECONDS = 0;
aStore();
const stage = apiWorld();
const { world } = stage;
const environment = new MockActivityEnvironment();
const organization = (rest: string) => `/api/organizations/${world.organizationId}/${rest}`;
const hq = (rest: string) => `/api/hq/dues/${world.organizationId}/${rest}`;

interface Admin extends Person {
  adminId: string;
}

/** Creates a second administrator, who confirms and is removed afterwards. */
async function deputy(): Promise<Admin> {
  const person = await aMember(world.organizationId, world.otherChapterId, 'member', 'alumni');
  const [row] = await asOwner<{ id: string }>(
    'INSERT INTO organization_admins (organization_id, user_id) VALUES ($1, $2) RETURNING id',
    [world.organizationId, person.userId],
  );
  return { ...person, adminId: row?.id as string };
}
const remove = async ({ adminId }: Admin): Promise<void> =>
  expect((await stage.admin.delete(organization(`admins/${adminId}/`))).status).toBe(204);
const named = ({ userId }: Person) => ({ userId, requestId: null, ipAddress: null });
const logged = async (id: string): Promise<string[]> =>
  (
    await asOwner<{ action: string }>(
      "SELECT action FROM audit_log WHERE subject_id = $1 AND action LIKE '%stopped_right_lost'",
      [id],
    )
  ).map(({ action }) => action);

describe('the right of a person to act', () => {
  const holds = (userId: string | null, more: object = {}) =>
    inTenant(world.organizationId, () => holdsRight({ userId, authority: 'organization', ...more }));

  test("active administrators, platform admins and operators hold the organization's right, and others do not", async () => {
    expect(await holds(world.admin.userId)).toBe(true);
    expect(await holds((await aPlatformAdmin()).userId)).toBe(true);
    expect(await holds(null)).toBe(true);
    for (const person of [world.member, world.officer, world.regionalAdmin, stage.other.admin])
      expect(await holds(person.userId)).toBe(false);
    const region = { authority: 'region', chapterId: world.chapterId };
    expect(await holds(world.regionalAdmin.userId, region)).toBe(true);
    expect(await holds(world.regionalAdmin.userId, { ...region, chapterId: world.otherChapterId })).toBe(false);
  });

  test.each<[string, (admin: Admin) => Promise<unknown>]>([
    ['removed', remove],
    ['deactivated', ({ adminId }) => stage.admin.patch(organization(`admins/${adminId}/`), { is_active: false })],
    ['disabled', ({ userId }) => asOwner('UPDATE users SET disabled_at = now() WHERE id = $1', [userId])],
    [
      'erased',
      async ({ userId }) => {
        await asOwner("INSERT INTO account_deletions (user_id, erases_at) VALUES ($1, now() - interval '1 hour')", [
          userId,
        ]);
        const [row] = await asOwner<{ id: string }>('SELECT id FROM account_deletions WHERE user_id = $1', [userId]);
        return inPlatform(() => beginErasure(row?.id as string));
      },
    ],
  ])('an administrator who is %s loses the right', async (_how, lose) => {
    const admin = await deputy();
    expect(await holds(admin.userId)).toBe(true);
    await lose(admin);
    expect(await holds(admin.userId)).toBe(false);
  });
});

test('a bulk approval of plans stops before the next request, which stays pending', async () => {
  await asOwner(
    `INSERT INTO org_dues_settings (organization_id, payment_plans_enabled) VALUES ($1, true)
     ON CONFLICT (organization_id) DO UPDATE SET payment_plans_enabled = true`,
    [world.organizationId],
  );
  const soon = new Date(Date.now() + 3 * 86_400_000).toISOString().slice(0, 10);
  const asking: string[] = [];
  for (const dueIn of [10, 11]) {
    const member = await aMember(world.organizationId, world.chapterId);
    const invoice = await anInvoice(world, { ...member, cents: 9_000, dueIn });
    const parts = { installment_count: 3, first_due_date: soon, interval: 'monthly' };
    const body = { invoice, justification: 'Between two jobs.', ...parts };
    asking.push((await stage.as(member).post('/api/billing/me/plan-requests/', body)).body.id);
  }
  const admin = await deputy();
  const { id } = (await stage.as(admin).post(hq('plan-requests/bulk-approve-in-policy/'), {})).body;
  await inTenant(world.organizationId, () => approveNext(id), { origin: named(admin) });
  await remove(admin);
  const input = { organizationId: world.organizationId, approvalId: id as string };
  for (let times = 0; times < 2; times += 1)
    expect(await environment.run(grantPlans, input)).toBe('stopped_right_lost');
  const [granted, waiting] = asking;
  expect((await stage.admin.get(hq(`plan-requests/bulk-approvals/${id}/`))).body).toMatchObject({
    status: 'stopped_right_lost',
    approved: [granted],
    remaining: 1,
    not_done: [waiting],
  });
  expect((await stage.admin.get(hq(`plan-requests/${waiting}/`))).body.status).toBe('pending');
  expect(await logged(id)).toEqual(['plan_bulk_approval.stopped_right_lost']);
  const again = (await stage.admin.post(hq('plan-requests/bulk-approve-in-policy/'), {})).body;
  expect(again).toMatchObject({ total: 1, not_done: [waiting] });
});

test("a bulk approval by a regional administrator stops after the organization withdraws the regions' right", async () => {
  await asOwner('UPDATE org_dues_settings SET plan_regional_approval = true WHERE organization_id = $1', [
    world.organizationId,
  ]);
  await asOwner("UPDATE plan_bulk_approvals SET status = 'cancelled', ended_at = now() WHERE status = 'approving'");
  const regional = stage.as(world.regionalAdmin);
  const { id } = (await regional.post(hq('plan-requests/bulk-approve-in-policy/'), {})).body;
  await asOwner('UPDATE org_dues_settings SET plan_regional_approval = false WHERE organization_id = $1', [
    world.organizationId,
  ]);
  const input = { organizationId: world.organizationId, approvalId: id as string };
  expect(await environment.run(grantPlans, input)).toBe('stopped_right_lost');
});

test('a dues run stops before the next chapters and lists them', async () => {
  const rate = 'INSERT INTO dues_rates (organization_id, term_id, status, amount_cents) VALUES ($1, $2, $3, $4)';
  await asOwner(rate, [world.organizationId, world.termId, 'undergrad', 12_500]);
  for (let n = 0; n < 12; n += 1) {
    const [chapter] = await asOwner<{ id: string }>(
      'INSERT INTO chapters (organization_id, name) VALUES ($1, $2) RETURNING id',
      [world.organizationId, `Chapter ${n}`],
    );
    await aMember(world.organizationId, chapter?.id as string);
  }
  const admin = await deputy();
  const due = new Date(Date.now() + 30 * 86_400_000).toISOString().slice(0, 10);
  const request = { term: world.termId, due_date: due };
  const { preview_hash } = (await stage.as(admin).post(hq('runs/'), { ...request, dry_run: true })).body;
  const { id } = (await stage.as(admin).post(hq('runs/'), { ...request, preview_hash })).body;
  const input = { organizationId: world.organizationId, duesRunId: id as string };
  const after = await inTenant(world.organizationId, () => issueNextChapters(id, null), { origin: named(admin) });
  await remove(admin);
  for (let times = 0; times < 2; times += 1) {
    expect(await environment.run(issueNextDues, { ...input, after })).toBeNull();
    expect(await environment.run(finishDues, input)).toBe('stopped_right_lost');
  }
  const run = (await stage.admin.get(hq(`runs/${id}/`))).body;
  expect(run).toMatchObject({ status: 'stopped_right_lost', chapters_done: 10 });
  expect(run.chapters_not_done).toHaveLength(run.chapters_total - 10);
  expect(run.invoices_issued).toBeLessThan(run.invoices_planned);
  expect(await logged(id)).toEqual(['dues_run.stopped_right_lost']);
  const notified = await asOwner(
    "SELECT recipient_id FROM notifications WHERE subject_id = $1 AND notification_type = 'dues_run_ended'",
    [id],
  );
  expect(notified).toEqual([{ recipient_id: world.admin.userId }]);
});

test('a rollover and its revert stop, and another administrator continues', async () => {
  await asOwner(
    `WITH people AS (
       INSERT INTO users (email, first_name, last_name)
       SELECT 'right-lost-' || n || '@example.org', 'A', 'B' FROM generate_series(1, 510) n RETURNING id)
     INSERT INTO memberships (organization_id, user_id, chapter_id, graduation_year) SELECT $1, id, $2, 2027 FROM people`,
    [world.organizationId, world.chapterId],
  );
  const request = { academic_year: 2027, through_season: 'SUMMER' };
  const confirm = async (admin: Person): Promise<string> => {
    const client = stage.as(admin);
    const { preview_hash } = (await client.post(organization('rollovers/'), { ...request, dry_run: true })).body;
    return (await client.post(organization('rollovers/'), { ...request, preview_hash })).body.id;
  };
  const read = async (id: string, rest = '') => (await stage.admin.get(`/api/rollovers/${id}/${rest}`)).body;
  const first = await deputy();
  const id = await confirm(first);
  const input = { organizationId: world.organizationId, rolloverId: id };
  expect(await environment.run(moveMembers, input)).toBe(true);
  await remove(first);
  for (let times = 0; times < 2; times += 1) {
    expect(await environment.run(moveMembers, input)).toBe(false);
    expect(await environment.run(finishRollover, input)).toBe('stopped_right_lost');
  }
  expect(await read(id)).toMatchObject({
    status: 'stopped_right_lost',
    members_moved: 500,
    revertible_until: expect.any(String),
  });
  expect((await read(id, 'lines/?outcome=waiting')).count).toBe(10);

  const second = await deputy();
  expect((await stage.as(second).post(`/api/rollovers/${id}/revert/`)).status).toBe(202);
  await remove(second);
  expect(await environment.run(returnMembers, input)).toBe(false);
  expect(await environment.run(finishRevert, input)).toBe('revert_stopped_right_lost');
  expect(await read(id)).toMatchObject({ status: 'revert_stopped_right_lost', members_returned: 0 });
  await asOwner("UPDATE rollovers SET ended_at = ended_at - interval '8 days' WHERE id = $1", [id]);
  expect((await stage.admin.post(`/api/rollovers/${id}/revert/`)).status).toBe(202);
  while (await environment.run(returnMembers, input));
  expect(await environment.run(finishRevert, input)).toBe('reverted');
  expect(await read(id)).toMatchObject({ status: 'reverted', members_returned: 500 });
  expect(await logged(id)).toEqual(['rollover.stopped_right_lost', 'rollover.revert_stopped_right_lost']);
});

test('an import stops in each step that acts for a person, and another administrator continues', async () => {
  const [chapter] = await asOwner<{ name: string }>('SELECT name FROM chapters WHERE id = $1', [world.chapterId]);
  const lines = [1, 2, 3].map((n) => `new-${n}@example.org,A,B,${chapter?.name}`);
  const content = ['E-Mail,First name,Surname,Chapter', ...lines].join('\r\n');
  const upload = await uploadImport(stage.api.url, world, { content, token: world.admin.token });
  const id = upload.body['id'] as string;
  const path = (rest = '') => `/api/imports/${id}/${rest}`;
  const read = async () => (await stage.admin.get(path())).body;
  await workImport(world.organizationId, id);
  await stage.admin.post(path('preview/'));
  await workImport(world.organizationId, id);
  const step = async (name: ImportStep) => {
    const [row] = await asOwner<{ runs: number }>('SELECT runs FROM bulk_imports WHERE id = $1', [id]);
    const input = { organizationId: world.organizationId, importId: id, step: name, run: String(row?.runs) };
    expect(await environment.run(takeLines, input)).toBe(false);
    expect(await environment.run(takeLines, input)).toBe(false);
    expect(await environment.run(finishImportStep, input)).toBe('stopped_right_lost');
    expect(await environment.run(finishImportStep, input)).toBe('stopped_right_lost');
  };

  const first = await deputy();
  const { preview_hash } = await read();
  await stage.as(first).post(path('process/'), { preview_hash, on_existing: 'skip' });
  await inTenant(world.organizationId, () => processNextLines(id, 1), { origin: named(first) });
  await remove(first);
  await step('process');
  expect(await read()).toMatchObject({
    outcome: 'stopped_right_lost',
    stopped_step: 'process',
    step: null,
    rows_created: 1,
    undoable_until: expect.any(String),
  });
  expect((await stage.admin.get(path('rows/?result=waiting'))).body.count).toBe(2);

  const second = await deputy();
  expect((await stage.as(second).post(path('send-invitations/'))).status).toBe(202);
  expect(await read()).toMatchObject({ step: 'send_invitations', stopped_step: null });
  await remove(second);
  await step('send_invitations');
  expect(await read()).toMatchObject({ outcome: 'stopped_right_lost', stopped_step: 'send_invitations' });

  const third = await deputy();
  expect((await stage.as(third).post(path('undo/'))).status).toBe(202);
  await remove(third);
  await step('undo');
  expect(await read()).toMatchObject({ stopped_step: 'undo', rows_undone: 0 });
  expect((await stage.admin.post(path('undo/'))).status).toBe(202);
  expect(await inTenant(world.organizationId, () => undoNextLines(id), { origin: named(world.admin) })).toBe(1);
});

test('settling the applicants of a closed period stops, and the period records the reason', async () => {
  const period = await stage.admin.post(organization('recruitment-periods/'), {
    term: world.termId,
    name: 'Fall intake',
    opens_at: '2020-01-01T00:00:00.000Z',
    closes_at: '2040-01-01T00:00:00.000Z',
  });
  const path = (rest = '') => `/api/recruitment-periods/${period.body.id}/${rest}`;
  await stage.admin.post(path('activate/'));
  const applicant = await aMember(world.organizationId, world.chapterId, 'member', 'pnm');
  const admin = await deputy();
  const { preview_hash } = (await stage.as(admin).post(path('close/'), { dry_run: true })).body;
  expect((await stage.as(admin).post(path('close/'), { preview_hash })).status).toBe(202);
  await remove(admin);
  const input = { organizationId: world.organizationId, periodId: period.body.id as string, turn: '1' };
  for (let times = 0; times < 2; times += 1)
    expect(await environment.run(settleApplicants, input)).toBe('stopped_right_lost');
  expect((await stage.admin.get(path())).body).toMatchObject({
    status: 'closed',
    is_settled: false,
    stop_reason: 'stopped_right_lost',
  });
  expect((await stage.admin.get(`/api/memberships/${applicant.membershipId}/`)).body.status).toBe('pnm');
  expect((await stage.admin.post(path('reopen/'), { reason: 'Closed anew.' })).body.stop_reason).toBeNull();
});

test('a move of files stops, and each file stays where its row says', async () => {
  const admin = await deputy();
  await remove(admin);
  const [row] = await asOwner<{ id: string }>(
    `INSERT INTO storage_migrations (organization_id, from_store, to_store, requested_by)
     VALUES ($1, 'platform', 'somewhere', $2) RETURNING id`,
    [world.organizationId, admin.userId],
  );
  const input = { organizationId: world.organizationId, migrationId: row?.id as string };
  expect(await environment.run(moveNextFiles, input)).toBe(false);
  expect(await environment.run(settleStorageMigration, input)).toBe('stopped_right_lost');
});

test('an alert is sent to no further organization after its author stops being a platform admin', async () => {
  const userId = await aUser();
  const [row] = await asOwner<{ id: string }>(
    `INSERT INTO platform_alerts (title, body, audience, created_by) VALUES ('A', 'B', 'admins', $1) RETURNING id`,
    [userId],
  );
  const input = { organizationId: null, alertId: row?.id as string };
  for (let times = 0; times < 2; times += 1) expect(await environment.run(tellNext, input)).toBe('stopped_right_lost');
  expect(await asOwner('SELECT FROM notifications WHERE subject_id = $1', [row?.id])).toEqual([]);
});
