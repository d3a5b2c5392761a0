/** The reference for campaigns and gifts: queries written by hand for one tenant. */
import { type Kysely, sql } from 'kysely';
import type { PageRequest } from '../../../models/database/page.js';
import { feeSchedule } from '../../../models/foundation/donations/fees.js';
import type { Tables } from './tables.js';

type Db = Kysely<Tables>;

/** Minimum charge of the seed's provider. */
const MIN_CHARGE_CENTS = 50;

/** Returns a public campaign as a donor sees it. */
export async function readCampaign(db: Db, foundation: string, slug: string) {
  const { rows } = await sql<{ min_amount_cents: number; accepts_donations: boolean }>`
    SELECT c.slug, c.title, c.description, f.name AS foundation_name, c.goal_cents, c.raised_cents, c.starts_on, c.ends_on,
           c.goods_description, c.goods_value_cents, f.currency, c.suggested_amounts, f.min_amount_cents, f.max_amount_cents,
           p.provider AS payment_provider, p.publishable_key, x.fee_pass_through,
           c.status = 'active' AND p.disabled_at IS NULL AND (now() AT TIME ZONE f.timezone)::date
             BETWEEN coalesce(c.starts_on, '-infinity') AND coalesce(c.ends_on, 'infinity') AS accepts_donations
      FROM foundation_configs f
      JOIN campaigns c ON c.organization_id = f.organization_id AND c.slug = ${slug} AND c.visibility = 'public'
      JOIN foundation_payment_processors x ON x.foundation_id = f.id
      JOIN org_payment_processors p ON p.id = x.processor_id
     WHERE f.id = ${foundation}`.execute(db);
  const [campaign] = rows as [(typeof rows)[number]];
  const { rate, fixedCents } = feeSchedule();
  return {
    ...campaign,
    min_amount_cents: Math.max(campaign.min_amount_cents, MIN_CHARGE_CENTS),
    fee_rate: rate,
    fee_fixed_cents: fixedCents,
    hero_image_url: null,
    // The seed's provider keeps cards.
    accepts_recurring: campaign.accepts_donations,
  };
}

/** Returns a page of the gifts, newest first. Selects the page's ids first, like the list of overdue invoices. */
export async function readDonations(db: Db, organization: string, { page, pageSize }: PageRequest) {
  const [{ rows: counted }, { rows: results }] = await Promise.all([
    sql<{
      count: number;
    }>`SELECT count(*)::int AS count FROM donations WHERE organization_id = ${organization}`.execute(db),
    sql`SELECT d.id, d.donor_id AS donor, d.campaign_id AS campaign, d.fund_id AS fund, d.method, d.received_on, d.amount_cents, d.fee_cents, d.net_cents,
               d.currency, d.base_amount_cents, d.first_name, d.last_name, d.is_anonymous, d.status, d.refunded_cents, d.under_review,
               d.failure_code, d.tax_year, d.charged_at, d.recurring_interval, d.pledge_id AS pledge, d.period, d.created_at, d.updated_at
          FROM (SELECT id FROM donations WHERE organization_id = ${organization} ORDER BY id DESC
                 LIMIT ${sql.lit(pageSize)} OFFSET ${(page - 1) * pageSize}) chosen
          JOIN donations d ON d.id = chosen.id ORDER BY d.id DESC`.execute(db),
  ]);
  return { count: counted[0]?.count ?? 0, results };
}
