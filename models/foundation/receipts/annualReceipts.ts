/** Annual receipts: one for all gifts of a donor in a tax year, less the money that went back. */
import { currentOrganization, oneRow, rows } from '../../database/rows.js';
import type { ReceiptOverrides } from '../config/receiptOverrides.js';
import { foundationErrors } from '../errors.js';
import { insertReceipt } from './insertReceipt.js';
import { fillAnnualPlaceholders } from './receiptTexts.js';
import { type PrintedAnnualReceipt, printedAnnualReceipt } from './TaxReceipt.js';

type PrintedGift = PrintedAnnualReceipt['gifts'][number];

/** The facts that annual receipts print of their foundation. */
interface Issuer {
  legal_name: string;
  ein: string;
  mailing_address: string;
  overrides: ReceiptOverrides;
  /** The present day in the foundation's time zone. */
  issued_on: string;
}

/** A donor's gifts of one tax year of which the foundation kept money. */
export interface AnnualGifts {
  donor_id: string;
  donor_name: string;
  is_erased: boolean;
  currency: string;
  /** Sum of the kept money. */
  amount_cents: number;
  /** In the order of their charges. */
  gifts: PrintedGift[];
}

/** The annual receipt that a new one replaces. */
export interface LastAnnualReceipt {
  id: string;
  number: string;
  status: 'valid' | 'void';
  amount_cents: number;
  printed: PrintedAnnualReceipt;
}

/**
 * Reads what annual receipts print of the foundation.
 * @throws Refusal foundation_incomplete if a fact is missing that every receipt prints
 */
export async function readIssuer(): Promise<Issuer> {
  const { legal_name, ein, mailing_address, ...issuer } = await oneRow<
    Omit<Issuer, 'legal_name' | 'ein' | 'mailing_address'> &
      Record<'legal_name' | 'ein' | 'mailing_address', string | null>
  >(
    `SELECT legal_name, ein, mailing_address, receipt_template_overrides AS overrides,
            app.local_day_of(timezone, now()) AS issued_on
       FROM foundation_configs WHERE organization_id = $1`,
    [currentOrganization()],
  );
  if (legal_name === null || ein === null || mailing_address === null)
    throw foundationErrors.foundation_incomplete('Receipts need a legal name, an EIN and a mailing address.');
  return { legal_name, ein, mailing_address, ...issuer };
}

/**
 * Locks donors in the order of their ids, so that no money of their gifts moves until the transaction ends: each entry
 * of a gift updates its donor.
 */
export const lockDonors = (donorIds: readonly string[]): Promise<unknown> =>
  rows('SELECT FROM donors WHERE organization_id = $1 AND id = ANY ($2) ORDER BY id FOR NO KEY UPDATE', [
    currentOrganization(),
    donorIds,
  ]);

/**
 * Reads the gifts of donors in a tax year. A gift is described as on its own receipt, which never changes; a gift without
 * one is described as it is now. Donors without a kept gift are left out.
 */
export const readAnnualGifts = (donorIds: readonly string[], taxYear: number): Promise<AnnualGifts[]> =>
  rows<AnnualGifts>(
    `SELECT o.id AS donor_id, o.first_name || ' ' || o.last_name AS donor_name, o.erased_at IS NOT NULL AS is_erased,
            min(g.currency) AS currency,
            sum(g.charged_cents - g.returned_cents)::bigint AS amount_cents,
            json_agg(json_build_object(
              'donation', g.donation_id,
              'given_on', coalesce(r.printed->>'given_on', g.received_on::text, app.local_day_of(f.timezone, g.charged_at)::text),
              'campaign', CASE WHEN r.id IS NULL THEN c.title ELSE r.printed->>'campaign' END,
              'fund', CASE WHEN r.id IS NOT NULL THEN r.printed->>'fund' WHEN c.id IS NULL THEN u.name END,
              'method', g.method,
              'charged_cents', g.charged_cents, 'returned_cents', g.returned_cents,
              'goods', CASE WHEN r.id IS NOT NULL THEN nullif(r.printed->'goods', 'null')
                            WHEN c.goods_value_cents IS NOT NULL THEN jsonb_build_object(
                              'description', c.goods_description, 'value_cents', c.goods_value_cents) END)
              ORDER BY g.charged_at, g.donation_id) AS gifts
       FROM app.annual_gifts($1, $3) g
       JOIN donors o ON o.organization_id = $1 AND o.id = g.donor_id
       JOIN funds u ON u.organization_id = $1 AND u.id = g.fund_id
       LEFT JOIN campaigns c ON c.organization_id = $1 AND c.id = g.campaign_id
       JOIN foundation_configs f ON f.organization_id = $1
       LEFT JOIN tax_receipts r ON r.organization_id = $1 AND r.donation_id = g.donation_id AND r.status = 'valid'
      WHERE g.donor_id = ANY ($2) GROUP BY o.id ORDER BY o.id`,
    [currentOrganization(), donorIds, taxYear],
  );

/** Inserts an annual receipt. @returns its id */
export function insertAnnualReceipt(
  issuer: Issuer,
  { donor_id, donor_name, amount_cents, currency, gifts }: AnnualGifts,
  { taxYear, runId, last }: { taxYear: number; runId: string | null; last: LastAnnualReceipt | null },
): Promise<string> {
  const { overrides, ...facts } = issuer;
  const fill = (template: string | undefined) =>
    fillAnnualPlaceholders(template, { donor_name, cents: amount_cents, currency });
  const printed = printedAnnualReceipt.parse({
    ...facts,
    donor_name,
    tax_year: taxYear,
    gifts,
    intro: fill(overrides.intro),
    thanks: fill(overrides.thanks),
    replaces_number: last?.number ?? null,
  });
  return insertReceipt({
    donorId: donor_id,
    donationId: null,
    annualRunId: runId,
    taxYear,
    amountCents: amount_cents,
    currency,
    replaces: last,
    printed,
    isMailed: true,
  });
}
