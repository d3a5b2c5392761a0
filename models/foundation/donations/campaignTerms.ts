/** Reads a campaign as donors see it: its texts, the limits of a gift, and whether it accepts gifts now. */
import { config } from '../../../config.js';
import { queryGenericPlan } from '../../database/preparedQuery.js';
import { firstRow, type Statement } from '../../database/rows.js';
import type { Provider } from '../../finances/payment-processors/vocabulary.js';
import { minChargeCentsOf, providerFacts } from '../../finances/payment-processors/providers.js';
import type { VISIBILITIES } from '../campaigns/Campaign.js';
import { feeSchedule } from './fees.js';
import { requireFound } from '../../errors.js';

export type Visibility = (typeof VISIBILITIES)[number];

/** SQL of FROM and WHERE for the published campaign `c` with slug $1 and visibility $2, and its foundation. */
export const PUBLISHED_CAMPAIGN = `
  FROM campaigns c
  JOIN foundation_configs f ON f.organization_id = c.organization_id
  LEFT JOIN foundation_payment_processors x ON x.organization_id = f.organization_id AND x.foundation_id = f.id
  LEFT JOIN org_payment_processors p ON p.organization_id = x.organization_id AND p.id = x.processor_id AND p.disabled_at IS NULL
 WHERE c.organization_id = (SELECT app.org_id()) AND c.slug = $1 AND c.visibility = $2 AND c.status <> 'draft'`;

/** SQL: whether the campaign accepts gifts today, in the time zone of the foundation. */
export const IS_OPEN = `(c.status = 'active' AND p.id IS NOT NULL
  AND app.local_day_of(f.timezone, now()) BETWEEN coalesce(c.starts_on, '-infinity') AND coalesce(c.ends_on, 'infinity'))`;

/** A campaign as donors see it. */
export interface PublicCampaign {
  slug: string;
  title: string;
  description: string | null;
  foundation_name: string;
  goal_cents: number | null;
  raised_cents: number;
  starts_on: string | null;
  ends_on: string | null;
  goods_description: string | null;
  goods_value_cents: number | null;
  /** Address of the picture. */
  hero_image_url: string | null;
  currency: string;
  suggested_amounts: number[];
  min_amount_cents: number;
  max_amount_cents: number;
  payment_provider: Provider | null;
  publishable_key: string | null;
  fee_rate: string;
  fee_fixed_cents: number;
  fee_pass_through: boolean;
  accepts_donations: boolean;
  accepts_recurring: boolean;
}

type CampaignRow = Omit<PublicCampaign, 'fee_rate' | 'fee_fixed_cents' | 'accepts_recurring' | 'hero_image_url'> & {
  hero_path: string | null;
};

/** SQL: path of the picture. */
const HERO_PATH = `CASE WHEN c.hero_file_id IS NOT NULL THEN '/api/foundation/' || CASE c.visibility
    WHEN 'public' THEN 'public/campaigns/' || f.id ELSE 'internal/campaigns' END || '/' || c.slug || '/hero-image/' END`;

const COLUMNS = `c.slug, c.title, c.description, f.name AS foundation_name, c.goal_cents, c.raised_cents, c.starts_on::text, c.ends_on::text,
  c.goods_description, c.goods_value_cents, ${HERO_PATH} AS hero_path, f.currency, to_json(c.suggested_amounts) AS suggested_amounts, f.min_amount_cents,
  f.max_amount_cents, p.provider AS payment_provider, p.publishable_key, coalesce(x.fee_pass_through, false) AS fee_pass_through,
  ${IS_OPEN} AS accepts_donations`;

/** Returns the statement that reads a campaign. `presentCampaign` converts its row. */
export const campaignStatement = (slug: string, visibility: Visibility): Statement => ({
  text: `SELECT ${COLUMNS} ${PUBLISHED_CAMPAIGN}`,
  values: [slug, visibility],
  prepared: true,
});

/**
 * Reads a campaign as donors see it.
 * @throws Refusal not_found for a draft, and for a campaign with another visibility
 */
export async function readCampaignTerms(slug: string, visibility: Visibility): Promise<PublicCampaign> {
  const { text, values } = campaignStatement(slug, visibility);
  return presentCampaign((await queryGenericPlan(text, values))[0]);
}

/**
 * Converts a row to a campaign as donors see it.
 * @param row the row of `campaignStatement`
 * @throws Refusal not_found if there is no row
 */
export function presentCampaign(row: Record<string, unknown> | undefined): PublicCampaign {
  const { hero_path, ...campaign } = requireFound((row ?? null) as CampaignRow | null);
  const { rate, fixedCents } = feeSchedule();
  return {
    ...campaign,
    hero_image_url: hero_path && `${config.backendUrl}${hero_path}`,
    min_amount_cents: lowestAmountCents(campaign.min_amount_cents, campaign.payment_provider),
    fee_rate: rate,
    fee_fixed_cents: fixedCents,
    accepts_recurring: campaign.accepts_donations && canRecur(campaign.payment_provider),
  };
}

/** Reports whether a provider can charge a card again without the donor. */
export const canRecur = (provider: Provider | null): boolean =>
  provider !== null && providerFacts(provider).capabilities.includes('recurring');

/** Returns the minimum of a gift: that of the foundation, and at least the minimum charge of its provider. */
export const lowestAmountCents = (minAmountCents: number, provider: Provider | null): number =>
  Math.max(minAmountCents, minChargeCentsOf(provider ?? undefined));

/** Maximum number of donors that a campaign shows. */
const MAX_SHOWN_DONORS = 50;

/**
 * Lists the donors of the latest completed gifts to a campaign, each as first name and initial, or Anonymous.
 * @throws Refusal not_found
 */
export async function listCampaignDonors(slug: string, visibility: Visibility): Promise<{ name: string }[]> {
  const found = await firstRow<{ donors: { name: string }[] }>(
    `SELECT (SELECT coalesce(json_agg(json_build_object('name', CASE WHEN g.is_anonymous THEN 'Anonymous'
                ELSE g.first_name || ' ' || upper(left(g.last_name, 1)) || '.' END) ORDER BY g.id DESC), '[]')
               FROM (SELECT d.* FROM donations d WHERE d.organization_id = c.organization_id AND d.campaign_id = c.id
                        AND d.status = 'completed' ORDER BY d.id DESC LIMIT ${MAX_SHOWN_DONORS}) g) AS donors
       ${PUBLISHED_CAMPAIGN}`,
    [slug, visibility],
  );
  return requireFound(found).donors;
}
