/** One row in each tenant's table, so that no test passes because a table was empty. */
import { anyRow } from './anyRow.js';
import { aProcessor } from '../support/platform.js';
import { aFoundationProcessor, insertRow } from '../support/foundation.js';
import { asOwner, overOwner } from '../support/owner.js';
import { anInvoice, aPlaceholder, type World } from '../support/world.js';

/** Isolated tables, from the catalog. */
export async function isolatedTables(): Promise<string[]> {
  const found = await asOwner<{ name: string }>(
    `SELECT relname AS name FROM pg_class
      WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND relforcerowsecurity
        AND relname <> 'organizations' ORDER BY relname`,
  );
  return found.map(({ name }) => name);
}

/** Fills the tables that `aWorld` leaves empty. @returns the id of one row for each table that has ids */
export async function fillEveryTable(world: World): Promise<Record<string, string>> {
  const { organizationId: org, chapterId, member, officer } = world;
  const insert = async (table: string, row: Record<string, unknown>): Promise<string> => {
    const [made] = await asOwner<{ id: string }>(
      `INSERT INTO ${table} (organization_id, ${Object.keys(row).join(', ')})
       VALUES ($1, ${Object.keys(row)
         .map((_, n) => `$${n + 2}`)
         .join(', ')}) RETURNING id`,
      [org, ...Object.values(row)],
    );
    return (made as { id: string }).id;
  };
  const invoice_id = await anInvoice(world, { chapterId, membershipId: member.membershipId });
  const processor_id = await aProcessor(world);
  await insert('payment_webhook_secrets', { digest: `k1.${processor_id}${processor_id}` });
  const remittance_id = await insert('chapter_remittances', {
    chapter_id: chapterId,
    created_by: officer.userId,
    total_cents: 1_000,
  });
  const amount = { amount_cents: 1_000 };
  await insert('payment_attempts', { remittance_id, processor_id, ...amount, currency: 'usd' });
  await insert('webhook_events', {
    processor_id,
    event_id: `evt_${remittance_id}`,
    type: 'charge.refunded',
    payload: '{}',
  });
  const capture_id = await insert('processor_captures', {
    processor_id,
    intent_id: `pi_${remittance_id}`,
    ...amount,
    disposition: 'flagged',
  });
  const dispute_id = await insert('payment_disputes', {
    capture_id,
    gateway_dispute_id: `dp_${remittance_id}`,
    ...amount,
    currency: 'usd',
    reason: 'fraudulent',
    decision: 'none',
    read_at: new Date(),
    opened_at: new Date(),
  });
  await insert('payment_dispute_movements', {
    dispute_id,
    kind: 'fee',
    amount_cents: 1500,
    gateway_movement_id: `txn_${remittance_id}`,
    moved_at: new Date(),
  });
  await insert('capture_resolutions', {
    capture_id,
    ...amount,
    resolution: 'refund',
    status: 'failed',
    failure_code: 'test',
    finished_at: new Date(),
    note: 'Test',
    requested_by: officer.userId,
  });
  await insert('money_cases', {
    processor_id,
    capture_id,
    kind: 'refund_unknown',
    gateway_object: 'pi_test',
    ...amount,
  });
  await insert('reconciliations', {
    processor_id,
    day: '2025-09-01',
    period_from: '2025-08-29T00:00:00Z',
    period_to: '2025-09-01T00:00:00Z',
  });
  await insert('gateway_movements', {
    processor_id,
    provider: 'stripe',
    movement_id: `txn_${remittance_id}`,
    kind: 'captured',
    ...amount,
    fee_cents: 59,
    currency: 'usd',
    moved_at: '2025-08-30T00:00:00Z',
    intent_id: 'pi_test',
  });
  const payment_record_id = await insert('payment_records', {
    invoice_id,
    processor_payment_id: `ch_${remittance_id}`,
    ...amount,
    refunded_cents: 100,
    status: 'succeeded',
    paid_at: new Date(),
  });
  const requestFields = { invoice_id, reason: 'Test', requested_by: officer.userId };
  await insert('refund_requests', requestFields);
  await insert('terminal_settlements', {
    chapter_id: chapterId,
    membership_id: member.membershipId,
    status: 'kept',
    refunds_at: new Date(),
    finished_at: new Date(),
  });
  const payer = { invoice_id, chapter_id: chapterId, membership_id: member.membershipId };
  const request_id = await insert('payment_plan_requests', {
    ...payer,
    requested_by: officer.userId,
    justification: 'Test',
    schedule: '[]',
    invoice_balance_cents: 1_000,
    is_in_policy: false,
    policy_reasons: '[]',
    policy: '{}',
    status: 'withdrawn',
    closed_at: new Date(),
  });
  const approval_id = await insert('plan_bulk_approvals', {
    requested_by: officer.userId,
    preview_hash: '0'.repeat(64),
    lines_total: 1,
  });
  await insert('plan_bulk_approval_lines', { approval_id, request_id, sequence: 1 });
  const bulk_action_id = await insert('process_bulk_actions', {
    action: 'retry',
    reason: 'Test',
    requested_by: officer.userId,
    audiences: ['organization'],
    targets_digest: '0'.repeat(64),
    preview_hash: '0'.repeat(64),
    targets_total: 1,
  });
  await insert('process_bulk_action_targets', { bulk_action_id, sequence: 1, workflow_id: 'overdue/x/2000-01-01' });
  const plan_id = await insert('payment_plans', {
    ...payer,
    request_id,
    total_cents: 1_000,
    billed_cents: 1_000,
    original_due_date: '2026-01-01',
    status: 'cancelled',
    cancel_reason: 'Test',
    ended_at: new Date(),
  });
  await insert('payment_plan_installments', { plan_id, sequence: 1, due_date: '2026-01-01', ...amount });
  await insert('drawn_documents', { request: '{}', requested_by: officer.userId });
  await insert('invoice_exports', { columns: '["id"]', place: 1 });
  await insert('payment_reminders', {
    chapter_id: chapterId,
    membership_id: member.membershipId,
    day: '2026-01-01',
    kind: 'overdue',
  });
  const given = { amount_cents: 100, status: 'succeeded', reference: 'Cash', finished_at: new Date() };
  await insert('refunds', { ...requestFields, payment_record_id, ...given });
  await insert('chapter_remittance_allocations', { remittance_id, chapter_id: chapterId, invoice_id, ...amount });
  await insert('chapter_account_credits', {
    chapter_id: chapterId,
    payer_type: 'member',
    membership_id: member.membershipId,
    kind: 'issued',
    ...amount,
    reason: 'Test',
  });
  const connection = { kind: 'oauth', provider: 'workspace', slug: `every-${org}`, name: 'Every' };
  const connection_id = await insert('sso_connections', connection);
  await insert('oauth_configurations', { id: connection_id, client_id: 'x', client_secret_encrypted: 'x' });
  const saml = { kind: 'saml', provider: 'saml', slug: `every-saml-${org}`, name: 'Every' };
  const configuration_id = await insert('sso_connections', saml);
  await insert('saml_configurations', {
    id: configuration_id,
    idp_entity_id: 'https://idp.example.org',
    sso_url: 'https://idp.example.org/sso',
    certificate_encrypted: 'x',
    attribute_mapping: '{}',
    sp_certificate: 'x',
    sp_private_key_encrypted: 'x',
  });
  await insert('membership_scheduled_changes', {
    membership_id: member.membershipId,
    status: 'associate',
    effective_on: '2040-01-01',
    hand: 'officer',
  });
  await insert('planned_terms', {
    chapter_id: chapterId,
    membership_id: member.membershipId,
    position: 'treasurer',
    starts_on: '2040-01-01',
  });
  const import_id = await insert('bulk_imports', { file_name: 'roster.csv' });
  await insert('bulk_import_rows', { import_id, line: 2, cells: '[]' });
  const rollover_id = await insert('rollovers', {
    academic_year: 2027,
    through_season: 'SPRING',
    to_status: 'alumni',
    preview_hash: '0'.repeat(64),
  });
  await insert('rollover_lines', {
    rollover_id,
    membership_id: member.membershipId,
    chapter_id: chapterId,
    status: 'undergrad',
    role: 'member',
    graduation_year: 2027,
  });
  const recruitment_period_id = await insert('recruitment_periods', {
    term_id: world.termId,
    name: 'Every',
    opens_at: '2040-01-01',
    closes_at: '2040-02-01',
    status: 'draft',
  });
  await insert('pnm_application_configs', { introduction: 'Every' });
  const application_id = await insert('pnm_applications', {
    recruitment_period_id,
    chapter_id: chapterId,
    email: `every-${world.slug}@example.org`,
    first_name: 'Every',
    last_name: 'Applicant',
  });
  await insert('pnm_application_versions', {
    application_id,
    chapter_id: chapterId,
    contents: '{}',
    token_hash: 'every',
  });
  await insert('pnm_drafts', { token_hash: 'every', expires_at: '2040-01-01' });
  const file_id = await insert('stored_files', { purpose: 'pnm_attachment' });
  await insert('pnm_attachments', { application_id, kind: 'resume', file_id });
  await insert('account_provisioning_configs', {
    provider: 'cloud_office',
    domain: 'every.example.org',
    address_template: '{last}',
    credentials_encrypted: 'x',
  });
  const failed = { status: 'failed', problem: 'refused' };
  await insert('account_provisioning_records', { ...failed, membership_id: member.membershipId });
  await insert('completeness_configs', { fields: '[]' });
  const from_config_id = await insert('storage_configs', {
    provider: 'aws_s3',
    region: 'us-east-1',
    bucket: 'every',
    access_key_id: 'every',
    secret_access_key_encrypted: 'x',
    is_active: false,
  });
  const stores = { from_config_id, from_store: 'every', to_store: 'platform' };
  await insert('storage_migrations', { ...stores, status: 'cancelled', ended_at: new Date() });
  const template_id = await insert('consent_templates', { audience: 'members', title: 'Every', body_text: 'Every' });
  await insert('consent_versions', { template_id, number: 1, title: '', method: '', text_hash: '0'.repeat(64) });
  const [published] = await asOwner<{ text_hash: string }>(
    'SELECT text_hash FROM consent_versions WHERE template_id = $1',
    [template_id],
  );
  const agreed = {
    template_id,
    version: 1,
    text_hash: published?.text_hash,
    user_id: member.userId,
    ordinal: 1,
    kind: 'given',
  };
  await insert('consent_records', agreed);
  await insert('verified_domains', { domain: 'alpha.edu' });
  await insert('saml_encryption_keys', { configuration_id, certificate: 'x', private_key_encrypted: 'x' });
  await insert('saml_certificate_warnings', { configuration_id, fingerprint: 'x', days: 30 });
  await insert('saml_seen_messages', { configuration_id, message_hash: 'x', expires_at: '2040-01-01' });
  await insert('sso_refusals', { connection_id, reason: 'no_account', request_id: 'x' });
  const [session] = await asOwner<{ id: string }>('SELECT id FROM sessions WHERE user_id = $1', [world.admin.userId]);
  await asOwner(
    `INSERT INTO impersonations (id, organization_id, membership_id, user_id, actor_id, actor_session_id, session_id, ends_at)
     VALUES (uuidv7(), $1, $2, $3, $4, $5, $5, now())`,
    [org, member.membershipId, member.userId, world.admin.userId, session?.id],
  );
  const user_id = await aPlaceholder(org);
  const organization_admin_id = await insert('organization_admins', { user_id, is_active: false });
  const expires_at = '2040-01-01';
  await insert('invitations', { user_id, organization_admin_id, token_hash: org, expires_at });
  await insert('account_requests', {
    email: 'every@example.org',
    first_name: 'Every',
    last_name: 'Body',
    justification: 'Test',
    status: 'pending',
    verified_at: new Date(),
  });
  const refused = { user_id: member.userId, email: 'every@example.org', reason: 'unknown_address', status: '5.1.1' };
  await insert('mail_suppressions', refused);
  await insert('notification_digests', {
    user_id: member.userId,
    frequency: 'daily',
    period_start: '2030-01-01',
    period_end: '2030-01-02',
    notification_count: 1,
    notification_ids: [member.userId],
  });
  // Its deliveries are inserted with it.
  const notification_id = await insert('notifications', {
    recipient_id: member.userId,
    event_id: 'every',
    notification_type: 'every',
    event_type: 'new_post',
    title: 'Every',
    subject_type: 'invoice',
    subject_id: invoice_id,
  });
  const [token] = await asOwner<{ id: string }>(
    `INSERT INTO push_tokens (user_id, platform, token_encrypted, token_hash)
     VALUES ($1, 'ios', 'x', translate(rpad($2, 43, '0'), '-', '_')) RETURNING id`,
    [member.userId, org],
  );
  await insert('good_standing_proofs', {
    chapter_id: chapterId,
    membership_id: member.membershipId,
    code_hash: org.padEnd(43, '0'),
    was_good_on: '2030-01-01',
    good_until: '2030-01-02',
  });
  await insert('push_delivery_records', {
    notification_id,
    token_id: token?.id,
    platform: 'ios',
    environment: 'production',
    attempt: 1,
  });
  await fillFoundation(world, capture_id);
  await fillForums(world);
  return idsOf(org);
}

/** Fills the tables of forums: an open forum of the organization, with an invited member. */
async function fillForums({ organizationId, member, officer }: World): Promise<void> {
  const insert = (table: string, row: Record<string, unknown>) =>
    insertRow(table, { organization_id: organizationId, ...row });
  const forum_id = await insert('forums', { name: 'Every' });
  await insert('forum_memberships', {
    forum_id,
    user_id: member.userId,
    status: 'invited',
    invited_by: officer.userId,
    invitation_expires_at: '2040-01-01',
  });
  const body = { body: 'Every', body_html: '<p>Every</p>', request_hash: 'every' };
  const post_id = await insert('forum_posts', { forum_id, author_id: member.userId, title: 'Every', ...body });
  await insert('forum_comments', { forum_id, post_id, author_id: member.userId, ...body });
  const { request_hash: _, ...words } = body;
  await insert('forum_revisions', { post_id, version: 1, title: 'Every', ...words, replaced_by: member.userId });
  const file = { purpose: 'forum_image', uploaded_by: member.userId };
  await insert('forum_attachments', {
    forum_id,
    uploaded_by: member.userId,
    kind: 'image',
    file_name: 'every.png',
    size_bytes: 1,
    file_id: await insert('stored_files', file),
    post_id,
  });
  await asOwner(
    `INSERT INTO forum_subscriptions (organization_id, forum_id, user_id, new_posts, replies) VALUES ($1, $2, $3, true, true)`,
    [organizationId, forum_id, member.userId],
  );
  await insert('moderation_rules', { kind: 'keyword', pattern: 'every', action: 'flag' });
  const case_id = await insert('forum_cases', { forum_id, post_id, author_id: member.userId, opened_by: 'flag' });
  await asOwner('INSERT INTO forum_flags (organization_id, case_id, user_id, counts) VALUES ($1, $2, $3, true)', [
    organizationId,
    case_id,
    officer.userId,
  ]);
}

/** Fills the tables of the foundation, whose admin is the organization's admin. */
async function fillFoundation({ organizationId, admin }: World, capture_id: string): Promise<void> {
  const insert = (table: string, row: Record<string, unknown>) =>
    insertRow(table, { organization_id: organizationId, ...row });
  const foundation_id = await insert('foundation_configs', {
    name: 'Every foundation',
    legal_name: 'Every foundation',
    ein: '12-3456789',
    mailing_address: '1 Main Street',
  });
  await insert('foundation_admins', { foundation_id, user_id: admin.userId, role: 'admin' });
  const { processorId: processor_id } = await aFoundationProcessor(organizationId, foundation_id);
  const fund_id = await insert('funds', { name: 'Every fund' });
  const campaign_id = await insert('campaigns', { fund_id, title: 'Every', slug: 'every', suggested_amounts: [2500] });
  const name = { first_name: 'Every', last_name: 'Donor' };
  const donor_id = await insert('donors', { email: `donor-${organizationId}@example.org`, ...name });
  const expiring = { donor_id, expires_at: '2040-01-01', token_hash: organizationId.padEnd(43, '0') };
  await insert('donor_links', expiring);
  await insert('donor_sessions', expiring);
  const donation_id = await insert('donations', {
    donor_id,
    campaign_id,
    fund_id,
    ...name,
    amount_cents: 5000,
    fee_cents: 175,
    currency: 'usd',
    request_hash: 'x'.repeat(43),
  });
  await insert('donation_entries', {
    donation_id,
    kind: 'received',
    amount_cents: 5000,
    capture_id,
    moved_at: '2030-01-01T00:00:00Z',
  });
  const pledge_id = await insert('recurring_pledges', {
    donor_id,
    campaign_id,
    fund_id,
    processor_id,
    ...name,
    recurring_interval: 'monthly',
    amount_cents: 5000,
    currency: 'usd',
    anchor_on: '2030-01-01',
    next_period: 2,
    next_due_at: '2030-03-01T09:00:00Z',
  });
  await insert('pledge_periods', { pledge_id, n: 1, due_at: '2030-02-01T09:00:00Z', donation_id });
  await insert('pledge_notices', { pledge_id, kind: 'started' });
  await asOwner('INSERT INTO receipt_counters (organization_id, tax_year, last_number) VALUES ($1, 2030, 1)', [
    organizationId,
  ]);
  await insert('tax_receipts', {
    donor_id,
    donation_id,
    tax_year: 2030,
    sequence: 1,
    amount_cents: 5000,
    currency: 'usd',
    code: organizationId.replaceAll('-', '').slice(-22),
    printed: PRINTED,
  });
  const run_id = await insert('annual_receipt_runs', {
    tax_year: 2029,
    preview_hash: '0'.repeat(64),
    receipts_planned: 1,
    planned_cents: 5000,
  });
  const planned = { gift_count: 1, amount_cents: 5000, digest: '0'.repeat(64) };
  await insert('annual_receipt_items', { run_id, donor_id, ...planned });
  const bulletin_id = await insert('foundation_bulletins', {
    subject: 'Every',
    body_text: 'Every',
    audience: 'campaign_donors',
    campaign_id,
  });
  await insert('foundation_bulletin_recipients', { bulletin_id, donor_id, email: 'every@example.org' });
}

const PRINTED = {
  legal_name: 'Every foundation',
  ein: '12-3456789',
  mailing_address: '1 Main Street',
  donor_name: 'Every Donor',
  campaign: 'Every',
  fund: null,
  method: 'card',
  given_on: '2030-01-01',
  issued_on: '2030-01-01',
  charged_cents: 5000,
  returned_cents: 0,
  goods: null,
  intro: null,
  thanks: null,
  replaces_number: null,
};

/** Each table that is still empty gets a row from the catalog: only a table that needs a certain row has a line above. */
async function idsOf(organizationId: string): Promise<Record<string, string>> {
  const ids: Record<string, string> = {};
  for (const table of await isolatedTables()) {
    const ask = () =>
      asOwner<{ row: { id?: string } }>(
        `SELECT to_jsonb(t) AS row FROM ${table} t WHERE organization_id = $1 LIMIT 1`,
        [organizationId],
      );
    if ((await ask()).length === 0) await anyRow(organizationId, table);
    const [found] = await ask();
    if (!found) throw new Error(`fillEveryTable() leaves ${table} empty.`);
    if (found.row.id) ids[table] = found.row.id;
  }
  return ids;
}

/** A digest of everything that an organization has, to detect changes. */
export async function digestOf(organizationId: string): Promise<Record<string, string>> {
  const tables = [...(await isolatedTables()), 'organizations'];
  const digests = tables.map((table) => {
    const column = table === 'organizations' ? 'id' : 'organization_id';
    return `SELECT '${table}' AS name, md5(coalesce(string_agg(t::text, '|' ORDER BY t::text), '')) AS digest
              FROM ${table} t WHERE ${column} = $1`;
  });
  // One named statement: its plan, over all tables, is made a few times and not for each look.
  const text = digests.join(' UNION ALL ');
  const query = { name: 'digest of everything', text, values: [organizationId] };
  const { rows } = await overOwner((client) => client.query<{ name: string; digest: string }>(query));
  return Object.fromEntries(rows.map(({ name, digest }) => [name, digest]));
}
