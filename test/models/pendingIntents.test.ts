import { sequelize } from '../../models/database/connection.js';
import { inPlatform } from '../../models/database/tenancy.js';
import {
  findPendingIntent,
  interleaveByOrganization,
  listPendingIntents,
  type PendingIntent,
} from '../../models/processes/pendingIntents.js';
import { PROCESSES } from '../../workflows/contracts/index.js';
import { asOwner, closeOwner } from '../support/owner.js';
import { aWorld, type World } from '../support/world.js';
import { fillEveryTable } from '../tenancy/everyTable.js';

let world: World;

beforeAll(async () => {
  world = await aWorld({ members: 1 });
  await fillEveryTable(world);
  await asOwner(
    `INSERT INTO webhook_events (organization_id, processor_id, event_id, type, payload)
     SELECT organization_id, id, 'evt_1', 'charge.refunded', '{}' FROM org_payment_processors WHERE organization_id = $1`,
    [world.organizationId],
  );
  await asOwner(
    `INSERT INTO payment_attempts (organization_id, invoice_id, processor_id, amount_cents, currency)
     SELECT i.organization_id, i.id, p.id, 100, 'usd' FROM chapter_invoices i JOIN org_payment_processors p USING (organization_id)
      WHERE organization_id = $1 LIMIT 1`,
    [world.organizationId],
  );
  await asOwner(
    `INSERT INTO capture_resolutions (organization_id, capture_id, resolution, amount_cents, status, note, requested_by, created_at)
     SELECT organization_id, id, 'refund', 100, 'pending', 'Test', $2, now() - interval '1 hour' FROM processor_captures
      WHERE organization_id = $1 LIMIT 1`,
    [world.organizationId, world.admin.userId],
  );
  await asOwner(
    `INSERT INTO payment_attempts (organization_id, donation_id, processor_id, amount_cents, currency, page_description,
         page_done_url, page_cancel_url, created_at)
     SELECT d.organization_id, d.id, p.processor_id, 100, 'usd', 'Gift', 'x', 'x', now() - interval '1 hour'
       FROM donations d JOIN foundation_payment_processors p USING (organization_id) WHERE organization_id = $1`,
    [world.organizationId],
  );
  await asOwner(
    `WITH paid AS (
       INSERT INTO processor_captures (organization_id, processor_id, intent_id, donation_id, amount_cents, disposition)
       SELECT organization_id, processor_id, 'pi_of_a_gift', donation_id, 100, 'recorded' FROM payment_attempts
        WHERE organization_id = $1 AND donation_id IS NOT NULL RETURNING organization_id, id)
     INSERT INTO capture_resolutions (organization_id, capture_id, resolution, amount_cents, status, note, requested_by, created_at)
     SELECT organization_id, id, 'refund', 100, 'pending', 'Test', $2, now() - interval '1 hour' FROM paid`,
    [world.organizationId, world.admin.userId],
  );
  await asOwner("UPDATE processor_captures SET disposition = 'resolved'");
  await asOwner("UPDATE refund_requests SET created_at = now() - interval '1 hour'");
  await asOwner(
    `UPDATE payment_plan_requests SET status = 'pending', closed_at = NULL, is_in_policy = true, freeze_anchor = current_date,
            created_at = now() - interval '1 hour' WHERE organization_id = $1`,
    [world.organizationId],
  );
  await asOwner(
    `UPDATE terminal_settlements SET status = 'waiting', finished_at = NULL, created_at = now() - interval '1 hour'
      WHERE organization_id = $1`,
    [world.organizationId],
  );
  await asOwner(
    `INSERT INTO refunds (organization_id, invoice_id, payment_record_id, capture_id, amount_cents, status, reason, requested_by, created_at)
     SELECT p.organization_id, p.invoice_id, p.id, c.id, 100, 'reserved', 'Test', $2, now() - interval '1 hour'
       FROM payment_records p JOIN processor_captures c USING (organization_id)
      WHERE organization_id = $1 AND p.status = 'succeeded' AND c.refunded_cents = 0 LIMIT 1`,
    [world.organizationId, world.admin.userId],
  );
  const { userId } = world.member;
  await asOwner(`INSERT INTO account_notices (user_id, kind, email) VALUES ($1, 'x', 'x@example.org')`, [userId]);
  await asOwner('INSERT INTO account_deletions (user_id, erases_at) VALUES ($1, now())', [userId]);
  await asOwner(`INSERT INTO platform_alerts (title, body, audience) VALUES ('x', 'x', 'admins')`);
  await asOwner("UPDATE social_posts SET status = 'scheduled', publish_at = now() - interval '1 hour'");
  await asOwner(
    `INSERT INTO stored_files (organization_id, purpose, status, scan, name, media_type, size_bytes, sha256, kept_at)
     VALUES ($1, 'pnm_attachment', 'held', 'waiting', 'a.pdf', 'application/pdf', 1, repeat('0', 64), now() - interval '1 hour')`,
    [world.organizationId],
  );
  await asOwner(`UPDATE ledger_checks SET started_at = now() - interval '1 hour'`);
  await asOwner(`INSERT INTO roster_exports (organization_id, format) VALUES ($1, 'csv')`, [world.organizationId]);
  await asOwner(`INSERT INTO storage_migrations (organization_id, from_store, to_store) VALUES ($1, 'platform', 'x')`, [
    world.organizationId,
  ]);
  await asOwner('ALTER TABLE storage_migrations DISABLE TRIGGER USER');
  await asOwner("UPDATE storage_migrations SET updated_at = now() - interval '1 hour'");
  await asOwner('ALTER TABLE storage_migrations ENABLE TRIGGER USER');
  await asOwner(
    "UPDATE pnm_application_versions SET asks_proof = false, wants = 'withdrawn', wanted_at = now() - interval '1 hour'",
  );
  await asOwner('DELETE FROM account_provisioning_rests');
  await asOwner('ALTER TABLE account_provisioning_records DISABLE TRIGGER USER');
  await asOwner(
    `UPDATE account_provisioning_records SET status = 'pending', problem = NULL, updated_at = now() - interval '1 hour'`,
  );
  await asOwner('ALTER TABLE account_provisioning_records ENABLE TRIGGER USER');
  await aRevert();
  await asOwner("UPDATE bulletins SET edition = 1, publish_at = now() - interval '1 hour'");
  await asOwner("UPDATE tax_receipts SET mail_requested_at = now() - interval '1 hour'");
  await asOwner(
    `INSERT INTO foundation_bulletins (organization_id, subject, body_text, audience, status, send_at, round, updated_at)
     VALUES ($1, 'x', 'x', 'all_donors', 'sending', now(), 1, now() - interval '1 hour')`,
    [world.organizationId],
  );
  await anImport();
  await asOwner("UPDATE recruitment_periods SET status = 'closed', turn = 1, turned_at = now() - interval '1 hour'");
  for (const table of [
    'recurring_pledges',
    'pledge_periods',
    'payment_attempts',
    'webhook_events',
    'dues_runs',
    'rollovers',
    'roster_exports',
    'invoice_exports',
    'drawn_documents',
    'plan_bulk_approvals',
    'process_bulk_actions',
    'bulk_imports',
    'crossings',
    'storage_provisionings',
    'pnm_reference_letters',
    'account_notices',
    'account_deletions',
    'notification_fanouts',
    'platform_alerts',
    'annual_receipt_runs',
    'forum_withdrawals',
  ])
    await asOwner(`UPDATE ${table} SET created_at = now() - interval '1 hour'`);
});
afterAll(async () => {
  await sequelize.close();
  await closeOwner();
});

/** An import whose file is to be read. */
async function anImport(): Promise<void> {
  const { organizationId } = await aWorld({ members: 1 });
  await asOwner(
    `INSERT INTO bulk_imports (organization_id, file_name, step, step_started_at, runs)
     VALUES ($1, 'roster.csv', 'read', now() - interval '1 hour', 1)`,
    [organizationId],
  );
}

/** A rollover that is being reverted, while another one runs elsewhere. */
async function aRevert(): Promise<void> {
  const { organizationId } = await aWorld({ members: 1 });
  await asOwner(
    `INSERT INTO rollovers (organization_id, academic_year, through_season, to_status, preview_hash, status, ended_at, revert_started_at)
     VALUES ($1, 2027, 'SPRING', 'alumni', 'none', 'reverting', now(), now() - interval '1 hour')`,
    [organizationId],
  );
}

const all = (organizationId: string | null = null) =>
  inPlatform(() => listPendingIntents({ organizationId, limit: 100 }));

test('every kind of process is found by its waiting row, unless its contract names another way', async () => {
  const found = new Set((await all()).map(({ name }) => name));
  const byRows = PROCESSES.filter(({ recoveredBy }) => recoveredBy === 'rows');
  expect([...found].sort()).toEqual(byRows.map(({ name }) => name).sort());
});

test("the input in a row's intent matches the process's contract, and leads back to the row", async () => {
  for (const intent of await all()) {
    expect(Object.values(intent.input)).not.toContain(undefined);
    expect(intent.workflowId).not.toContain('undefined');
    expect(await inPlatform(() => findPendingIntent(intent.workflowId, intent.organizationId))).toEqual(intent);
  }
});

test('an ended attempt waits for its process as long as its page may be open', async () => {
  const [attempt] = await asOwner<{ id: string }>(
    `UPDATE payment_attempts SET status = 'failed', finished_at = now(), checkout_keys = 1, checkout_asked_at = now()
      WHERE id = (SELECT id FROM payment_attempts WHERE invoice_id IS NOT NULL LIMIT 1) RETURNING id`,
  );
  const found = async () => (await all()).filter(({ rowId }) => rowId === attempt?.id);
  expect(await found()).toMatchObject([{ name: 'hostedPage', workflowId: `hosted-page/${attempt?.id}` }]);
  await asOwner('UPDATE payment_attempts SET checkout_closed_at = now() WHERE id = $1', [attempt?.id]);
  expect(await found()).toEqual([]);
  await expect(
    asOwner("UPDATE payment_attempts SET status = 'pending', finished_at = NULL WHERE id = $1", [attempt?.id]),
  ).rejects.toThrow('attempt_pages_closed_when_over');
});

test('an organization sees its own intents alone, and a page continues where the last one ended', async () => {
  expect(new Set((await all(world.organizationId)).map(({ organizationId }) => organizationId))).toEqual(
    new Set([world.organizationId]),
  );
  expect(await all((await aWorld()).organizationId)).toEqual([]);
  const ids = (await all()).map(({ rowId }) => rowId);
  const next = await inPlatform(() => listPendingIntents({ organizationId: null, after: ids[0] ?? null, limit: 2 }));
  expect(next.map(({ rowId }) => rowId)).toEqual(ids.slice(1, 3));
});

test('lost processes are started in turns: one of each organization, the most urgent first', () => {
  const intent = (name: string, organizationId: string | null, rowId: string) =>
    ({ name, organizationId, rowId }) as PendingIntent;
  const many = Array.from({ length: 500 }, (_, n) => intent('hostedPage', 'large', `large-${n}`));
  const started = interleaveByOrganization([
    intent('issueDues', 'small', 'dues'),
    ...many,
    intent('payRemittance', 'small', 'payment'),
    intent('sendAccountNotice', null, 'notice'),
  ]);
  expect(
    started
      .slice(0, 5)
      .map(({ rowId }) => rowId)
      .sort(),
  ).toEqual(['dues', 'large-0', 'large-1', 'notice', 'payment']);
  expect(started.findIndex(({ rowId }) => rowId === 'payment')).toBeLessThan(3);
  expect(started).toHaveLength(503);
});

test('a row that was just written is left to its own dispatch', async () => {
  const before = (await all()).length;
  await asOwner(`UPDATE account_notices SET created_at = now() - interval '1 minute'`);
  expect(await all()).toHaveLength(before - 1);
});
