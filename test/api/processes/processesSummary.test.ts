import { inPlatform } from '../../../models/database/tenancy.js';
import { type Incident, recordIncidents } from '../../../models/processes/incidents.js';
import { donationRefund, markOverdue } from '../../../workflows/contracts/index.js';
import { asOwner } from '../../support/owner.js';
import { apiWorld } from '../../support/apiWorld.js';
import { countStatements } from '../../support/statements.js';
import { aPlatformAdmin } from '../../support/world.js';
import { fillEveryTable } from '../../tenancy/everyTable.js';

const SUMMARY = '/api/console/summary/';

const stage = apiWorld();
const { world, other, as } = stage;

/** Names of the fields that are not null. */
const onlyFields = (body: Record<string, unknown>) =>
  Object.keys(body)
    .filter((field) => body[field] !== null)
    .sort();

beforeAll(async () => {
  await fillEveryTable(world);
  await asOwner(
    `UPDATE chapter_remittances SET processor_payment_id = 'pi_flagged', reconciliation_flagged_at = '2026-01-02T03:04:05Z',
            reconciliation_amount_cents = 1000, reconciliation_reason = 'allocation_stale'`,
  );
  await asOwner(
    `UPDATE payment_plan_requests SET status = 'pending', closed_at = NULL, is_in_policy = true, freeze_anchor = current_date - 1`,
  );
  await asOwner(`UPDATE payment_disputes SET evidence_due_at = now() + interval '1 day'`);
  await asOwner('DELETE FROM forum_flags');
  await asOwner('DELETE FROM forum_cases');
});

test('an admin sees how much waits, as the lists count it', async () => {
  const { body } = await stage.admin.get(SUMMARY);
  const one = { count: 1, oldest_at: expect.any(String) };
  const { body: header } = await stage.admin.get('/api/notifications/alert-summary/');
  expect(header.approvals).toBeGreaterThan(0);
  expect(body).toMatchObject({
    remittance_flags: { count: 1, oldest_at: '2026-01-02T03:04:05.000Z' },
    money_cases: one,
    unmatched_payments: one,
    approvals: { count: header.approvals, oldest_at: expect.any(String) },
    ending_freezes: one,
    disputes_due: one,
    last_ledger_check: { status: 'running', finished_at: null },
    outbox: null,
    organizations_without_admin: null,
  });
  const organization = `/api/organizations/${world.organizationId}`;
  const count = async (path: string) => (await stage.admin.get(path)).body.count;
  expect(await count('/api/billing/remittances/?status=needs_reconciliation')).toBe(1);
  expect(await count(`${organization}/money-cases/?status=open`)).toBe(1);
  expect(await count(`${organization}/unmatched-payments/?resolved=false`)).toBe(1);

  const { body: nothing } = await as(other.admin).get(SUMMARY);
  expect(nothing.money_cases).toEqual({ count: 0, oldest_at: null });
  expect(nothing.last_ledger_check).toBeNull();
});

test('an officer and a regional admin see their part, and a member sees nothing', async () => {
  const { body: officer } = await stage.officer.get(SUMMARY);
  expect(onlyFields(officer)).toEqual(['approvals', 'remittance_flags']);
  expect(officer.remittance_flags.count).toBe(1);
  expect((await as(world.otherOfficer).get(SUMMARY)).body.remittance_flags.count).toBe(0);

  const regional = async () => (await as(world.regionalAdmin).get(SUMMARY)).body;
  expect(onlyFields(await regional())).toEqual(['approvals', 'ending_freezes']);
  expect((await regional()).ending_freezes.count).toBe(0);
  await asOwner('UPDATE org_dues_settings SET plan_regional_approval = true');
  expect((await regional()).ending_freezes.count).toBe(1);

  expect((await stage.member.get(SUMMARY)).status).toBe(403);
});

test('the stuck processes are counted as their list counts them, for each reader', async () => {
  const incident = (workflowId: string, row: Partial<Incident>): Incident => ({
    workflowId,
    organizationId: world.organizationId,
    kind: markOverdue.kind,
    input: {},
    subjectId: null,
    chapterId: null,
    reason: 'no_process',
    status: 'waiting',
    startedAt: new Date(),
    ...row,
  });
  await inPlatform(() =>
    recordIncidents([
      incident('overdue', {}),
      incident('other', { organizationId: other.organizationId }),
      // The admins of the foundation see it; the admin of the other organization is none.
      incident('refund', { organizationId: other.organizationId, kind: donationRefund.kind }),
      incident('platform', { organizationId: null }),
    ]),
  );
  await asOwner(
    `INSERT INTO outbox (organization_id, process, workflow_id, input, not_before, attempts, created_at)
     SELECT $1, 'markOverdue', 'attempts/' || n, '{}', now(), n, CASE n WHEN 5 THEN timestamptz '2026-01-02T03:04:05Z' ELSE now() END
       FROM unnest('{0,5}'::int[]) n`,
    [world.organizationId],
  );
  const platform = await aPlatformAdmin();
  const counts = await Promise.all(
    [stage.admin, as(other.admin), as(platform, { 'X-Organization-Id': other.organizationId }), as(platform)].map(
      async (reader) => {
        const { count, oldest_at } = (await reader.get(SUMMARY)).body.stuck_processes;
        expect((await reader.get('/api/processes/?stuck=true')).body.count).toBe(count);
        return [count, oldest_at];
      },
    ),
  );
  const oldest = '2026-01-02T03:04:05.000Z';
  expect(counts).toEqual([
    [2, oldest],
    [1, expect.any(String)],
    [2, expect.any(String)],
    [5, oldest],
  ]);
});

test('a platform admin sees the platform, or the organization of the header', async () => {
  const platform = await aPlatformAdmin();
  const { body: before } = await as(platform).get(SUMMARY);
  await asOwner(`INSERT INTO organizations (name, slug) VALUES ('Without', 'without')`);
  await asOwner(
    `INSERT INTO outbox (organization_id, process, workflow_id, input, not_before)
     VALUES ($1, 'ledgerCheck', 'due', '{}', now()), ($1, 'ledgerCheck', 'later', '{}', now() + interval '1 day')`,
    [world.organizationId],
  );
  const { body } = await as(platform).get(SUMMARY);
  expect(onlyFields(body)).toEqual(['organizations_without_admin', 'outbox', 'stuck_processes']);
  expect(body.outbox.count).toBe(before.outbox.count + 1);
  expect(body.organizations_without_admin.count).toBe(before.organizations_without_admin.count + 1);

  const inOrganization = as(platform, { 'X-Organization-Id': world.organizationId });
  expect((await inOrganization.get(SUMMARY)).body.money_cases.count).toBe(1);
});

test('a summary takes two messages to Postgres: the look-up of the caller, and one statement', async () => {
  const platform = await aPlatformAdmin();
  for (const client of [stage.admin, stage.officer, as(platform)]) {
    await client.get(SUMMARY);
    expect(await countStatements(() => client.get(SUMMARY))).toBe(2);
  }
});
