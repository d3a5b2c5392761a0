import { currentOrganization, oneRow } from '../../database/rows.js';
import { invalid } from '../../errors.js';
import { foundationErrors } from '../errors.js';
import { readIssuer } from './annualReceipts.js';

/** Maximum number of lines in a preview. */
export const MAX_PREVIEW_LINES = 500;

export interface AnnualReceiptsPreview {
  preview_hash: string;
  currency: string;
  totals: { receipts: number; gifts: number; amount_cents: number };
  /** One per receipt, in the order in which they are issued; one more than the maximum if there are more. */
  lines: { donor: string; donor_name: string; gifts: number; amount_cents: number }[];
}

/**
 * SQL: the hash of all planned receipts of a tax year.
 * @param source rows with donor_id and digest
 * @param year SQL of the tax year
 */
export const annualPlanHashSql = (source: string, year: string): string => `(
  SELECT encode(sha256(convert_to(${year}::int || '|' || coalesce(string_agg(donor_id || ':' || digest, ',' ORDER BY donor_id), ''),
           'UTF8')), 'hex') FROM ${source})`;

/**
 * Checks that annual receipts of a tax year can be issued.
 * @throws Refusal foundation_not_configured, validation_error unless the year is over in the foundation's time zone,
 * foundation_incomplete
 */
export async function requireIssuable(taxYear: number): Promise<void> {
  const { is_configured, is_over } = await oneRow<{ is_configured: boolean; is_over: boolean }>(
    `SELECT f.id IS NOT NULL AS is_configured, coalesce($2 < app.tax_year(f.timezone, now()), false) AS is_over
       FROM (VALUES ($1::uuid)) AS o (id) LEFT JOIN foundation_configs f ON f.organization_id = o.id`,
    [currentOrganization(), taxYear],
  );
  if (!is_configured) throw foundationErrors.foundation_not_configured();
  if (!is_over) throw invalid('tax_year', 'This year is not over yet.');
  await readIssuer();
}

/**
 * Returns the annual receipts that a run would issue, and the hash to confirm it with. Changes nothing.
 * @throws Refusal foundation_not_configured, validation_error, foundation_incomplete
 */
export async function previewAnnualReceipts(taxYear: number): Promise<AnnualReceiptsPreview> {
  await requireIssuable(taxYear);
  const { preview } = await oneRow<{ preview: AnnualReceiptsPreview }>(
    `WITH plan AS MATERIALIZED (SELECT * FROM app.annual_receipts_due($1, $2))
     SELECT json_build_object(
       'preview_hash', ${annualPlanHashSql('plan', '$2')},
       'currency', (SELECT currency FROM foundation_configs WHERE organization_id = $1),
       'totals', (SELECT json_build_object('receipts', count(*), 'gifts', coalesce(sum(gift_count), 0),
                    'amount_cents', coalesce(sum(amount_cents), 0)) FROM plan),
       'lines', (SELECT coalesce(json_agg(json_build_object('donor', donor_id, 'donor_name', donor_name, 'gifts', gift_count,
                    'amount_cents', amount_cents) ORDER BY donor_id), '[]')
                   FROM (SELECT * FROM plan ORDER BY donor_id LIMIT $3) p)) AS preview`,
    [currentOrganization(), taxYear, MAX_PREVIEW_LINES + 1],
  );
  return preview;
}
