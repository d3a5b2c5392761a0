/**
 * The foundation of a large organization: 5,000 donors with five gifts each, to a dozen campaigns. Gifts are 40 minutes
 * apart, the newest 60 days old: older than the range that a comparison with the gateway reads. States repeat every 100
 * gifts:
 *   0 to 3  failed
 *   4       refunded
 *   5, 6    refunded in part
 *   7       returned and reinstated, like a gift whose dispute was won
 *   others  completed; of every thousandth, another amount was captured, so it is under review
 */
import type { Client } from 'pg';
import { insertProcessor } from '../billing.js';
import { CAMPAIGN_SLUG } from '../foundation.js';
import { FIRST_NAMES, LAST_NAMES } from '../names.js';
import { demoEmail } from '../people.js';
import { largeSlug, type Scale } from './scale.js';

const TIMEZONE = 'America/New_York';
export const GIFTS_PER_DONOR = 5;
/** Number of donors who give regularly. */
export const PLEDGES = 1_000;
/** Number of campaigns with gifts. The last one is open all year; the others run one after another. */
const CAMPAIGNS = 12;
/** The campaign to which every third gift goes. */
export const YEAR_ROUND_SLUG = CAMPAIGN_SLUG;
/** The last of the campaigns that run one after another. It is not public. */
export const INTERNAL_SLUG = `appeal-${CAMPAIGNS - 1}`;
const FUNDS = ['General fund', 'Scholarships', 'Leadership', 'House'];

/** Inserts the foundation with its people, account, funds, campaigns, donors, gifts and receipts. */
export async function insertGifts(
  client: Client,
  organizationId: string,
  organization: number,
  { donors }: Scale,
): Promise<void> {
  const foundation: Foundation = { client, organizationId, organization };
  await insertFoundation(foundation);
  await planGifts(foundation, donors);
  await insertCampaignsAndDonors(foundation);
  await insertDonations(foundation);
  await insertReceipts(foundation);
  await insertEntries(foundation);
  await insertPledges(foundation);
}

interface Foundation {
  client: Client;
  organizationId: string;
  organization: number;
}

/** Inserts the configuration, an admin and an editor, and the account for gifts. */
async function insertFoundation({ client, organizationId, organization }: Foundation): Promise<void> {
  const slug = largeSlug(organization);
  const { rows } = await client.query<{ id: string; processor: string }>(
    `INSERT INTO foundation_configs (id, organization_id, name, legal_name, ein, mailing_address, timezone)
     SELECT pg_temp.seeded_id('foundation', $2), id, name || ' Foundation', name || ' Foundation, Inc.', '12-3456789',
            '1 Main Street, Springfield, OH 45501', $3
       FROM organizations WHERE id = $1 RETURNING id, pg_temp.seeded_id('gift processor', $2) AS processor`,
    [organizationId, organization, TIMEZONE],
  );
  const [{ id, processor }] = rows as [{ id: string; processor: string }];
  await insertProcessor(client, organizationId, slug, processor, 'foundation');
  await client.query(
    `INSERT INTO foundation_payment_processors (organization_id, foundation_id, processor_id, fee_pass_through)
     VALUES ($1, $2, $3, true)`,
    [organizationId, id, processor],
  );
  await client.query(
    `INSERT INTO foundation_admins (id, organization_id, foundation_id, user_id, role)
     SELECT pg_temp.seeded_id('foundation admin', $3::int * 10 + a.n), $1, $2, u.id, a.role
       FROM (VALUES (1, $4, 'admin'), (2, $5, 'editor')) a(n, email, role) JOIN users u ON u.email = a.email`,
    [organizationId, id, organization, demoEmail('admin', slug), demoEmail('deputy', slug)],
  );
}

/** Fills `seeding_gifts`, one row per gift, and `seeding_receipts`, one row per receipt. */
async function planGifts({ client, organization }: Foundation, donors: number): Promise<void> {
  const gifts = donors * GIFTS_PER_DONOR;
  await client.query(
    `CREATE TEMPORARY TABLE seeding_gifts ON COMMIT DROP AS
     SELECT planned.*, pg_temp.seeded_id('donation', at) AS id, pg_temp.seeded_id('gift capture', at) AS capture_id,
            'pi_large_' || md5('gift:' || at) AS intent_id, created + interval '1 minute' AS charged,
            pg_temp.seeded_id('campaign', $1::int * 100 + campaign) AS campaign_id,
            pg_temp.seeded_id('fund', $1::int * 10 + campaign % ${FUNDS.length}) AS fund_id,
            pg_temp.seeded_id('donor', $1::int * 10000 + donor) AS donor_id,
            (${FIRST_NAMES})[(donor * 7 + $1::int * 3) % 27 + 1] AS first_name,
            (${LAST_NAMES})[(donor * 11 + donor / 27 + $1::int) % 25 + 1] AS last_name,
            CASE state WHEN 'refunded' THEN cents WHEN 'refunded in part' THEN cents / 4 ELSE 0 END AS refunded_cents,
            CASE WHEN state NOT IN ('failed', 'under review')
                 THEN extract(year FROM (created + interval '1 minute') AT TIME ZONE '${TIMEZONE}')::int END AS tax_year
       FROM (SELECT n, $1::bigint * 100000 + n AS at, (n * 7919) % ${donors} + 1 AS donor,
                    CASE WHEN n % 3 = 0 THEN ${CAMPAIGNS} ELSE (n - 1) * ${CAMPAIGNS - 1} / ${gifts} + 1 END AS campaign,
                    (ARRAY[2500,5000,10000,25000,50000])[n % 5 + 1] + n % 7 * 100 AS cents,
                    now() - interval '60 days' - (${gifts} - n) * interval '40 minutes' AS created,
                    CASE WHEN n % 1000 = 999 THEN 'under review' WHEN n % 100 < 4 THEN 'failed' WHEN n % 100 = 4 THEN 'refunded'
                         WHEN n % 100 < 7 THEN 'refunded in part' WHEN n % 100 = 7 THEN 'reinstated' ELSE 'completed' END AS state
               FROM generate_series(1, ${gifts}) AS n) planned`,
    [organization],
  );
  // Dates of the receipts, counted from the charge. A refund ends a receipt after 3 days. A dispute ends it after 10
  // days; the dispute is won after 40 days, and the donor gets a new receipt.
  await client.query(
    `CREATE TEMPORARY TABLE seeding_receipts ON COMMIT DROP AS
     SELECT g.at * 10 + r.ordinal AS at, r.ordinal, g.at AS gift, g.tax_year, r.issued, r.ended, r.status, r.returned_cents,
            row_number() OVER (PARTITION BY g.tax_year ORDER BY r.issued, g.at) AS sequence
       FROM seeding_gifts g
      CROSS JOIN LATERAL (VALUES
        (1, 'completed', g.charged, NULL, 'valid', 0),
        (1, 'refunded', g.charged, g.charged + interval '3 days', 'void', 0),
        (1, 'refunded in part', g.charged, g.charged + interval '3 days', 'superseded', 0),
        (2, 'refunded in part', g.charged + interval '3 days', NULL, 'valid', g.refunded_cents),
        (1, 'reinstated', g.charged, g.charged + interval '10 days', 'void', 0),
        (2, 'reinstated', g.charged + interval '40 days', NULL, 'valid', 0)
      ) r(ordinal, state, issued, ended, status, returned_cents)
      WHERE r.state = g.state`,
  );
  await client.query('ANALYZE seeding_gifts, seeding_receipts');
}

/**
 * Inserts funds, campaigns and donors. Their totals are computed here, because the trigger that normally computes them
 * is disabled while the entries are inserted.
 */
async function insertCampaignsAndDonors({ client, organizationId, organization }: Foundation): Promise<void> {
  const keptCents = `(SELECT coalesce(sum(cents - refunded_cents) FILTER (WHERE tax_year IS NOT NULL), 0) FROM seeding_gifts`;
  await client.query(
    `INSERT INTO funds (id, organization_id, name, is_default, total_cents)
     SELECT f.id, $1, f.name, f.n = 1, ${keptCents} WHERE fund_id = f.id)
       FROM (SELECT pg_temp.seeded_id('fund', $2::int * 10 + n - 1) AS id, name, n FROM unnest($3::text[]) WITH ORDINALITY AS f(name, n)) f`,
    [organizationId, organization, FUNDS],
  );
  await client.query(
    `INSERT INTO campaigns (id, organization_id, fund_id, title, description, slug, suggested_amounts, visibility, status,
                            published_at, closed_at, raised_cents)
     SELECT c.id, $1, pg_temp.seeded_id('fund', $2::int * 10 + n % ${FUNDS.length}), CASE WHEN is_last THEN 'Annual fund' ELSE 'Appeal ' || n END,
            '<p>Help us.</p>', CASE WHEN is_last THEN '${YEAR_ROUND_SLUG}' ELSE 'appeal-' || n END, '{2500,5000,10000}',
            CASE n WHEN ${CAMPAIGNS - 1} THEN 'internal' ELSE 'public' END,
            CASE WHEN n > ${CAMPAIGNS} THEN 'draft' WHEN n < ${CAMPAIGNS - 2} THEN 'closed' ELSE 'active' END,
            CASE WHEN n <= ${CAMPAIGNS} THEN now() - interval '800 days' END, CASE WHEN n < ${CAMPAIGNS - 2} THEN now() END,
            ${keptCents} WHERE campaign_id = c.id)
       FROM (SELECT pg_temp.seeded_id('campaign', $2::int * 100 + n) AS id, n, n = ${CAMPAIGNS} AS is_last
               FROM generate_series(1, ${CAMPAIGNS + 1}) n) c`,
    [organizationId, organization],
  );
  await client.query(
    `INSERT INTO donors (id, organization_id, email, first_name, last_name, total_cents, gift_count, created_at)
     SELECT donor_id, $1, lower(first_name || '.' || last_name) || '.' || donor || '.' || $2 || '@donors.example.org', first_name, last_name,
            coalesce(sum(cents - refunded_cents) FILTER (WHERE tax_year IS NOT NULL), 0),
            count(*) FILTER (WHERE tax_year IS NOT NULL AND state <> 'refunded'), min(created)
       FROM seeding_gifts GROUP BY donor_id, donor, first_name, last_name ORDER BY donor_id`,
    [organizationId, largeSlug(organization)],
  );
}

/** Inserts the gifts, each with the attempt and the capture of its page. */
async function insertDonations({ client, organizationId, organization }: Foundation): Promise<void> {
  await client.query(
    `INSERT INTO donations (id, organization_id, donor_id, campaign_id, fund_id, amount_cents, fee_cents, currency, first_name, last_name,
       is_anonymous, status, refunded_cents, under_review, failure_code, tax_year, charged_at, idempotency_key, request_hash, created_at)
     SELECT id, $1, donor_id, campaign_id, fund_id, cents, (cents * 29 + 999) / 1000 + 30, 'usd', first_name, last_name, n % 10 = 0,
            CASE state WHEN 'failed' THEN 'failed' WHEN 'under review' THEN 'pending' WHEN 'refunded' THEN 'refunded' ELSE 'completed' END,
            refunded_cents, state = 'under review', CASE state WHEN 'failed' THEN 'card_declined' END, tax_year,
            CASE WHEN tax_year IS NOT NULL THEN charged END, md5('key:' || at), rpad(md5('request:' || at), 43, '0'), created
       FROM seeding_gifts ORDER BY at`,
    [organizationId],
  );
  await client.query(
    `INSERT INTO payment_attempts (id, organization_id, donation_id, processor_id, amount_cents, currency, status, intent_id, captured_cents,
       failure_code, checkout_session_id, page_description, page_done_url, page_cancel_url, finished_at, created_at)
     SELECT pg_temp.seeded_id('gift attempt', at), $1, id, pg_temp.seeded_id('gift processor', $2), cents, 'usd',
            CASE state WHEN 'failed' THEN 'failed' WHEN 'under review' THEN 'flagged' ELSE 'succeeded' END,
            CASE WHEN state <> 'failed' THEN intent_id END,
            CASE state WHEN 'failed' THEN NULL WHEN 'under review' THEN cents - 100 ELSE cents END,
            CASE state WHEN 'failed' THEN 'card_declined' END, 'cs_large_' || md5('gift:' || at), 'A gift', 'https://example.org/done',
            'https://example.org/cancelled', charged, created
       FROM seeding_gifts ORDER BY at`,
    [organizationId, organization],
  );
  await client.query(
    `INSERT INTO processor_captures (id, organization_id, processor_id, intent_id, donation_id, amount_cents, currency, refunded_cents,
                                     disposition, captured_at, created_at)
     SELECT capture_id, $1, pg_temp.seeded_id('gift processor', $2), intent_id, id,
            CASE state WHEN 'under review' THEN cents - 100 ELSE cents END, 'usd', refunded_cents,
            CASE state WHEN 'under review' THEN 'flagged' ELSE 'recorded' END, charged, charged
       FROM seeding_gifts WHERE state <> 'failed' ORDER BY at`,
    [organizationId, organization],
  );
}

/** Inserts the receipts with their numbers, and the counters. */
async function insertReceipts({ client, organizationId, organization }: Foundation): Promise<void> {
  await client.query(
    `INSERT INTO tax_receipts (id, organization_id, donor_id, donation_id, tax_year, sequence, amount_cents, currency, status, replaces, code,
       printed, issued_at, ended_at, mail_status, mailed_at, created_at)
     SELECT pg_temp.seeded_id('receipt', r.at), $1, g.donor_id, g.id, g.tax_year, r.sequence, g.cents - r.returned_cents, 'usd', r.status,
            CASE r.ordinal WHEN 2 THEN pg_temp.seeded_id('receipt', r.at - 1) END,
            left(translate(encode(decode(md5('receipt:' || r.at), 'hex'), 'base64'), '+/=', '-_'), 22),
            jsonb_build_object('legal_name', f.legal_name, 'ein', f.ein, 'mailing_address', f.mailing_address,
              'donor_name', g.first_name || ' ' || g.last_name, 'campaign', c.title, 'fund', NULL, 'method', 'card',
              'given_on', (g.charged AT TIME ZONE '${TIMEZONE}')::date, 'issued_on', (r.issued AT TIME ZONE '${TIMEZONE}')::date,
              'charged_cents', g.cents, 'returned_cents', r.returned_cents, 'goods', NULL, 'intro', NULL, 'thanks', NULL,
              'replaces_number', o.tax_year || '-' || lpad(o.sequence::text, 6, '0')),
            r.issued, r.ended, 'mailed', r.issued, r.issued
       FROM seeding_receipts r JOIN seeding_gifts g ON g.at = r.gift
       JOIN foundation_configs f ON f.organization_id = $1
       JOIN campaigns c ON c.organization_id = $1 AND c.id = g.campaign_id
       LEFT JOIN seeding_receipts o ON r.ordinal = 2 AND o.at = r.at - 1
      ORDER BY r.at`,
    [organizationId],
  );
  await client.query(
    `INSERT INTO receipt_counters (id, organization_id, tax_year, last_number)
     SELECT pg_temp.seeded_id('receipt counter', $2::bigint * 10000 + tax_year), $1, tax_year, max(sequence) FROM seeding_receipts GROUP BY tax_year`,
    [organizationId, organization],
  );
}

/**
 * Inserts the entries. The trigger that adds them to the totals is disabled meanwhile, because it would update the row of
 * a fund once per entry. The table stays locked until the transaction ends, so call this last.
 */
async function insertEntries({ client, organizationId }: Foundation): Promise<void> {
  await client.query('ALTER TABLE donation_entries DISABLE TRIGGER donation_entries_added');
  await client.query(
    `INSERT INTO donation_entries (id, organization_id, donation_id, kind, amount_cents, capture_id, moved_at, created_at)
     SELECT pg_temp.seeded_id('gift entry', g.at * 10 + e.ordinal), $1, g.id, e.kind, e.cents, g.capture_id, e.moved, e.moved
       FROM seeding_gifts g
      CROSS JOIN LATERAL (VALUES
        (1, 'received', g.cents, g.charged, g.tax_year IS NOT NULL),
        (2, 'returned', g.refunded_cents, g.charged + interval '3 days', g.refunded_cents > 0),
        (2, 'returned', g.cents, g.charged + interval '10 days', g.state = 'reinstated'),
        (3, 'reinstated', g.cents, g.charged + interval '40 days', g.state = 'reinstated')
      ) e(ordinal, kind, cents, moved, has_moved)
      WHERE e.has_moved ORDER BY g.at, e.ordinal`,
    [organizationId],
  );
  await client.query('ALTER TABLE donation_entries ENABLE TRIGGER donation_entries_added');
}

/** Starts a pledge with the first completed gift of some donors. Of ten pledges, one is paused, and two are cancelled. */
async function insertPledges({ client, organizationId, organization }: Foundation): Promise<void> {
  await client.query(
    `INSERT INTO recurring_pledges (id, organization_id, donor_id, campaign_id, fund_id, processor_id, recurring_interval, amount_cents,
       currency, first_name, last_name, status, anchor_on, next_period, next_due_at, last_charged_at, cancelled_at, cancelled_by, created_at)
     SELECT p.pledge_id, $1, p.donor_id, p.campaign_id, p.fund_id, pg_temp.seeded_id('gift processor', $2), p.recurring_interval, p.cents, 'usd',
            p.first_name, p.last_name, p.status, p.anchor_on, due.n, CASE p.status WHEN 'active' THEN due.due_at END, p.charged,
            CASE p.status WHEN 'cancelled' THEN p.charged + interval '20 days' END, CASE p.status WHEN 'cancelled' THEN 'donor' END, p.created
       FROM (SELECT g.*, pg_temp.seeded_id('pledge', $2::int * 10000 + donor) AS pledge_id, (charged AT TIME ZONE '${TIMEZONE}')::date AS anchor_on,
                    (ARRAY['monthly','quarterly','annually'])[donor % 3 + 1] AS recurring_interval,
                    CASE donor % 10 WHEN 1 THEN 'paused' WHEN 2 THEN 'cancelled' WHEN 3 THEN 'cancelled' ELSE 'active' END AS status
               FROM (SELECT DISTINCT ON (donor) * FROM seeding_gifts WHERE state = 'completed' ORDER BY donor, at LIMIT ${PLEDGES}) g) p
      CROSS JOIN LATERAL app.pledge_period_due('${TIMEZONE}', p.pledge_id, p.anchor_on, p.recurring_interval, 1, now(), true) AS due`,
    [organizationId, organization],
  );
  await client.query(
    `WITH started AS (
       UPDATE donations d SET pledge_id = p.id, period = 0, recurring_interval = p.recurring_interval
         FROM recurring_pledges p
        WHERE p.organization_id = $1 AND d.organization_id = $1 AND d.donor_id = p.donor_id AND d.charged_at = p.last_charged_at
       RETURNING d.id, d.pledge_id, d.charged_at)
     INSERT INTO pledge_periods (id, organization_id, pledge_id, n, due_at, donation_id, status, next_try_at, closed_at)
     SELECT pg_temp.seeded_id('pledge period', $2::bigint * 10000 + row_number() OVER (ORDER BY pledge_id)), $1, pledge_id, 0, charged_at, id, 'paid', NULL, charged_at FROM started ORDER BY pledge_id`,
    [organizationId, organization],
  );
}
