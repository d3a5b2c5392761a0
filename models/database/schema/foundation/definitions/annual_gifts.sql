-- Gifts that an annual receipt of the year lists, with the amounts given and returned. Wholly returned gifts are 'refunded'
-- and so left out. Gifts of donor-advised funds have no receipts: the donor deducted the payment to the fund.
CREATE OR REPLACE FUNCTION app.annual_gifts(p_organization uuid, p_year int)
  RETURNS TABLE (donor_id uuid, donation_id uuid, campaign_id uuid, fund_id uuid, method text, charged_at timestamptz,
                 received_on date, charged_cents bigint, returned_cents bigint, currency text)
  LANGUAGE sql STABLE AS $$
  SELECT d.donor_id, d.id, d.campaign_id, d.fund_id, d.method, d.charged_at, d.received_on, d.amount_cents,
         d.refunded_cents, d.currency
    FROM donations d
   WHERE d.organization_id = p_organization AND d.tax_year = p_year AND d.status = 'completed'
     AND d.method <> 'donor_advised_fund' $$;
