/**
 * Work after a large load: updates the planner statistics, and the visibility map, which lets counts skip the tables.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { ClientBase } from 'pg';

const LARGE_TABLES = [
  'users',
  'memberships',
  'roster_names',
  'membership_periods',
  'affiliations',
  'member_handles',
  'chapter_invoices',
  'invoice_line_items',
  'payment_records',
  'payment_attempts',
  'processor_captures',
  'chapter_remittances',
  'chapter_remittance_allocations',
  'dues_run_items',
  'invoice_discounts',
  'chapter_account_credits',
  'audit_log',
  'notifications',
  'pnm_profiles',
  'crossings',
  'pnm_applications',
  'pnm_application_versions',
  'donors',
  'donations',
  'donation_entries',
  'tax_receipts',
  'recurring_pledges',
  'pledge_periods',
  'foundation_bulletin_recipients',
  'forum_memberships',
  'forum_posts',
  'forum_comments',
  'forum_reads',
];
const TRIES = 60;
const PAUSE_MS = 1_000;

/**
 * Vacuums the tables until nearly all of their pages are marked as all-visible, which makes counts fast. An older
 * snapshot, such as that of an automatic ANALYZE, can prevent the marking, so this is repeated for up to a minute.
 * After that, counts are only slower.
 */
export async function refreshStatistics(client: ClientBase, all: readonly string[] = LARGE_TABLES): Promise<void> {
  let tables: readonly string[] = all;
  for (let triesLeft = TRIES; triesLeft > 0 && tables.length > 0; triesLeft -= 1) {
    if (tables !== all) await sleep(PAUSE_MS);
    await client.query(`VACUUM (ANALYZE) ${tables.join(', ')}`);
    tables = await unmarked(client, all);
  }
  await client.query('ANALYZE');
}

/** Lists those of the tables of which more than a hundredth of the pages is not marked all-visible. */
async function unmarked(client: ClientBase, all: readonly string[]): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT oid::regclass::text AS name FROM pg_class
      WHERE oid = ANY($1::regclass[]) AND relallvisible < floor(relpages * 0.99)`,
    [all],
  );
  return rows.map(({ name }) => name);
}
