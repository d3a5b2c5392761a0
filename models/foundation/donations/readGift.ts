/** Reads a gift for its donor. The id alone is enough to read it, so the result contains no personal data. */
import { requestPageLook } from '../../finances/attempts/requestPageLook.js';
import { firstRow, rows } from '../../database/rows.js';
import { requireFound } from '../../errors.js';
import type { DonationStatus } from './Donation.js';

/** State of a gift's receipt; none: it has no receipt yet. */
export const RECEIPT_STATES = ['none', 'issued', 'mailed', 'undeliverable', 'void'] as const;

/** A gift without the personal data of its donor. Amounts in cents. */
export interface PublicGift {
  id: string;
  status: DonationStatus;
  under_review: boolean;
  amount_cents: number;
  refunded_cents: number;
  currency: string;
  campaign: { slug: string; title: string };
  receipt: { status: (typeof RECEIPT_STATES)[number]; number: string | null };
}

/**
 * Reads a gift as anybody who knows its id sees it.
 * @throws Refusal not_found
 */
export const readPublicGift = async (donationId: string): Promise<PublicGift> =>
  requireFound(
    await firstRow<PublicGift>(
      `SELECT d.id, d.status, d.under_review, d.amount_cents, d.refunded_cents, d.currency,
              json_build_object('slug', c.slug, 'title', c.title) AS campaign,
              json_build_object('number', r.number, 'status', CASE WHEN r.id IS NULL THEN 'none' WHEN r.status = 'void' THEN 'void'
                WHEN r.mail_status IN ('mailed','undeliverable') THEN r.mail_status ELSE 'issued' END) AS receipt
         FROM donations d JOIN campaigns c ON c.organization_id = d.organization_id AND c.id = d.campaign_id
         LEFT JOIN LATERAL (SELECT t.* FROM tax_receipts t WHERE t.organization_id = d.organization_id AND t.donation_id = d.id
                             ORDER BY t.id DESC LIMIT 1) r ON true
        WHERE d.id = $1`,
      [donationId],
    ),
  );

/** If the provider was asked about a page less than this long ago, it is not asked again. */
const MIN_LOOK_INTERVAL_SECONDS = 2;

/** Tells the workflow of an unpaid gift's page to ask the provider about the page, unless it has just asked. */
export async function requestGiftLook(donationId: string): Promise<void> {
  const [page] = await rows<{ id: string }>(
    `SELECT id FROM payment_attempts WHERE organization_id = (SELECT app.org_id()) AND donation_id = $1 AND status = 'pending'
        AND checkout_session_id IS NOT NULL AND checkout_looked_at < clock_timestamp() - make_interval(secs => $2)`,
    [donationId, MIN_LOOK_INTERVAL_SECONDS],
  );
  if (page) await requestPageLook({ id: page.id, isForDonation: true });
}

/** A gift and its payment page, as the donor gets them in a response. Amounts in cents. */
export interface GivenGift {
  donation_id: string;
  status: DonationStatus;
  amount_cents: number;
  fee_cents: number;
  net_cents: number;
  /** Address of the payment page; null before the page is open and after it has ended. */
  checkout_url: string | null;
  expires_at: Date | null;
  /**
   * Whether the outcome of opening the page is known: the workflow has opened it, or knows that it cannot be opened.
   */
  is_known: boolean;
  /** Whether the provider refused to open the page. */
  is_refused: boolean;
}

/**
 * Reads a gift with the state of its payment page.
 * @throws Refusal not_found
 */
export const readGivenGift = async (donationId: string): Promise<GivenGift> =>
  requireFound(
    await firstRow<GivenGift>(
      `SELECT d.id AS donation_id, d.status, d.amount_cents, d.fee_cents, d.net_cents,
              CASE WHEN a.status = 'pending' AND a.checkout_expires_at > now() THEN a.checkout_url END AS checkout_url,
              CASE WHEN a.status = 'pending' AND a.checkout_expires_at > now() THEN a.checkout_expires_at END AS expires_at,
              a.checkout_session_id IS NOT NULL OR a.status <> 'pending' AS is_known,
              a.status = 'failed' AND a.checkout_session_id IS NULL AND a.failure_code NOT IN ('gateway_unavailable','cancelled') AS is_refused
         FROM donations d
        CROSS JOIN LATERAL (SELECT * FROM payment_attempts t WHERE t.organization_id = d.organization_id AND t.donation_id = d.id
                             ORDER BY t.created_at DESC LIMIT 1) a
        WHERE d.id = $1`,
      [donationId],
    ),
  );
