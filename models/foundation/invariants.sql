-- Rules of gifts and receipts. Each query returns the rows that break its rule, with their amounts; see models/finances/invariants.sql.

-- name: the status and the refunded amount of a gift follow from its entries
-- examines: donations
WITH moved AS (
  SELECT organization_id, donation_id, sum(amount_cents) FILTER (WHERE kind = 'received') AS received,
         coalesce(sum(CASE kind WHEN 'returned' THEN amount_cents WHEN 'reinstated' THEN -amount_cents END), 0) AS returned
    FROM donation_entries GROUP BY 1, 2)
SELECT d.organization_id, d.id AS donation_id, d.status, d.amount_cents, d.refunded_cents, m.received AS received_cents,
       m.returned AS returned_cents
  FROM donations d LEFT JOIN moved m ON (m.organization_id, m.donation_id) = (d.organization_id, d.id)
 WHERE d.refunded_cents <> coalesce(m.returned, 0) OR m.received <> d.amount_cents
    OR d.status <> CASE WHEN m.received IS NULL AND d.status IN ('pending', 'failed') THEN d.status
                        WHEN m.returned = m.received THEN 'refunded' ELSE 'completed' END;

-- name: a completed gift has one entry that says it was received, and no other gift has an entry
-- examines: donations
SELECT d.organization_id, d.id AS donation_id, d.status, count(e.id) FILTER (WHERE e.kind = 'received') AS received, count(e.id) AS entries
  FROM donations d LEFT JOIN donation_entries e ON (e.organization_id, e.donation_id) = (d.organization_id, d.id)
 GROUP BY d.id
HAVING CASE WHEN d.charged_at IS NULL THEN count(e.id) > 0 ELSE count(e.id) FILTER (WHERE e.kind = 'received') <> 1 END;

-- name: the totals of donors, campaigns and funds are the sums of their gifts' entries
-- examines: donors
WITH moved AS (
  SELECT d.organization_id, d.donor_id, d.campaign_id, d.fund_id,
         CASE e.kind WHEN 'returned' THEN -e.amount_cents ELSE e.amount_cents END AS cents
    FROM donation_entries e JOIN donations d ON (d.organization_id, d.id) = (e.organization_id, e.donation_id)),
gifts AS (
  SELECT organization_id, donor_id, count(*) AS gifts FROM donations WHERE status = 'completed' GROUP BY 1, 2)
SELECT o.organization_id, 'donor' AS of, o.id, o.total_cents, coalesce(sum(m.cents), 0) AS entries_cents, o.gift_count,
       coalesce(max(g.gifts), 0) AS gifts
  FROM donors o LEFT JOIN moved m ON (m.organization_id, m.donor_id) = (o.organization_id, o.id)
  LEFT JOIN gifts g ON (g.organization_id, g.donor_id) = (o.organization_id, o.id)
 GROUP BY o.id HAVING o.total_cents <> coalesce(sum(m.cents), 0) OR o.gift_count <> coalesce(max(g.gifts), 0)
UNION ALL
SELECT c.organization_id, 'campaign', c.id, c.raised_cents, coalesce(sum(m.cents), 0), NULL, NULL
  FROM campaigns c LEFT JOIN moved m ON (m.organization_id, m.campaign_id) = (c.organization_id, c.id)
 GROUP BY c.id HAVING c.raised_cents <> coalesce(sum(m.cents), 0)
UNION ALL
SELECT f.organization_id, 'fund', f.id, f.total_cents, coalesce(sum(m.cents), 0), NULL, NULL
  FROM funds f LEFT JOIN moved m ON (m.organization_id, m.fund_id) = (f.organization_id, f.id)
 GROUP BY f.id HAVING f.total_cents <> coalesce(sum(m.cents), 0);

-- name: money captured for a gift is received by it, or waits for a decision, or was returned
-- examines: processor_captures WHERE donation_id IS NOT NULL
WITH accepted AS (
  SELECT DISTINCT organization_id, capture_id FROM capture_resolutions WHERE resolution = 'accept')
SELECT c.organization_id, c.id AS capture_id, c.donation_id, c.disposition, c.amount_cents, e.amount_cents AS received_cents
  FROM processor_captures c
  LEFT JOIN accepted a ON (a.organization_id, a.capture_id) = (c.organization_id, c.id)
  LEFT JOIN donation_entries e ON (e.organization_id, e.capture_id, e.donation_id) = (c.organization_id, c.id, c.donation_id) AND e.kind = 'received'
 WHERE c.donation_id IS NOT NULL AND CASE
   WHEN c.disposition = 'recorded' OR a.capture_id IS NOT NULL THEN e.amount_cents IS DISTINCT FROM c.amount_cents
   ELSE e.id IS NOT NULL OR (c.disposition = 'resolved' AND c.refunded_cents < c.amount_cents) END;

-- name: the refunded amount of a gift is that of its charge
-- examines: donation_entries
SELECT d.organization_id, d.id AS donation_id, d.refunded_cents, c.id AS capture_id, c.refunded_cents AS charge_refunded_cents
  FROM donation_entries e
  JOIN donations d ON (d.organization_id, d.id) = (e.organization_id, e.donation_id)
  JOIN processor_captures c ON (c.organization_id, c.id) = (e.organization_id, e.capture_id)
 WHERE e.kind = 'received' AND d.refunded_cents <> c.refunded_cents;

-- name: a gift is under review exactly while flagged money waits for its decision and no money has paid it
-- examines: donations
SELECT d.organization_id, d.id AS donation_id, d.status, d.under_review, count(c.id) AS flagged
  FROM donations d
  LEFT JOIN processor_captures c ON (c.organization_id, c.donation_id) = (d.organization_id, d.id) AND c.disposition = 'flagged'
 GROUP BY d.id HAVING d.under_review <> (d.charged_at IS NULL AND count(c.id) > 0) OR (d.under_review AND d.status <> 'pending');

-- name: a gift whose page is over keeps no digest of its network
-- examines: donations WHERE network_digest IS NOT NULL
SELECT d.organization_id, d.id AS donation_id, d.status, t.status AS attempt_status
  FROM donations d JOIN payment_attempts t ON (t.organization_id, t.donation_id) = (d.organization_id, d.id)
 WHERE d.network_digest IS NOT NULL AND t.status <> 'pending';

-- name: the numbers of receipts run from 1 to the counter of their foundation and year
-- examines: receipt_counters
SELECT coalesce(c.organization_id, r.organization_id) AS organization_id, coalesce(c.tax_year, r.tax_year) AS tax_year,
       c.last_number, r.receipts, r.last_sequence
  FROM receipt_counters c
  FULL JOIN (SELECT organization_id, tax_year, count(*) AS receipts, max(sequence) AS last_sequence
               FROM tax_receipts GROUP BY 1, 2) r ON (r.organization_id, r.tax_year) = (c.organization_id, c.tax_year)
 WHERE (c.last_number, c.last_number) IS DISTINCT FROM (r.receipts, r.last_sequence);

-- name: a completed gift has one valid receipt for what was kept of it; another gift and one of a donor-advised fund have none
-- examines: donations
SELECT d.organization_id, d.id AS donation_id, d.status, d.amount_cents - d.refunded_cents AS kept_cents,
       r.amount_cents AS receipt_cents
  FROM donations d
  LEFT JOIN tax_receipts r ON (r.organization_id, r.donation_id) = (d.organization_id, d.id) AND r.status = 'valid'
 WHERE CASE WHEN d.status = 'completed' AND d.method <> 'donor_advised_fund' THEN r.amount_cents IS DISTINCT FROM d.amount_cents - d.refunded_cents
            ELSE r.id IS NOT NULL END;

-- name: a receipt has the donor and the tax year of its gift, and replaces a receipt of the same gift that has ended
-- examines: tax_receipts
SELECT r.organization_id, r.id AS receipt_id, r.donation_id, r.status, o.status AS replaced_status
  FROM tax_receipts r
  JOIN donations d ON (d.organization_id, d.id) = (r.organization_id, r.donation_id)
  LEFT JOIN tax_receipts o ON (o.organization_id, o.id) = (r.organization_id, r.replaces)
 WHERE (r.donor_id, r.tax_year) IS DISTINCT FROM (d.donor_id, d.tax_year)
    OR (o.id IS NOT NULL AND (o.donation_id <> r.donation_id OR o.status = 'valid'));

-- name: the receipts of a gift replace one another in one line, and a superseded one has a successor
-- examines: tax_receipts
SELECT r.organization_id, r.donation_id, count(*) AS receipts, count(*) FILTER (WHERE r.replaces IS NULL) AS first_ones,
       count(*) FILTER (WHERE r.status = 'superseded' AND s.id IS NULL) AS without_successor
  FROM tax_receipts r
  LEFT JOIN tax_receipts s ON (s.organization_id, s.replaces) = (r.organization_id, r.id)
 WHERE r.donation_id IS NOT NULL
 GROUP BY 1, 2
HAVING count(*) FILTER (WHERE r.replaces IS NULL) <> 1
    OR count(*) FILTER (WHERE r.status = 'superseded' AND s.id IS NULL) > 0;

-- name: an offline gift is completed or refunded in its year without a fee, and has no charge
-- examines: donations WHERE method <> 'card'
SELECT d.organization_id, d.id AS donation_id, d.method, d.status, d.received_on, d.tax_year, d.fee_cents, count(c.id) AS charges
  FROM donations d
  LEFT JOIN donation_entries e ON (e.organization_id, e.donation_id) = (d.organization_id, d.id)
  LEFT JOIN processor_captures c ON (c.organization_id, c.id) = (e.organization_id, e.capture_id)
 WHERE d.method <> 'card' GROUP BY d.id
HAVING d.charged_at IS NULL OR d.tax_year <> extract(year FROM d.received_on) OR d.fee_cents <> 0 OR count(c.id) > 0;

-- name: every entry of an online gift has a charge
-- examines: donation_entries
SELECT e.organization_id, e.id AS entry_id, e.donation_id, d.method, e.amount_cents
  FROM donation_entries e JOIN donations d ON (d.organization_id, d.id) = (e.organization_id, e.donation_id)
 WHERE d.method = 'card' AND e.capture_id IS NULL;

-- name: a valid receipt prints the corrected name of its donor
-- examines: tax_receipts
SELECT r.organization_id, r.id AS receipt_id, r.donation_id, o.name_corrected_at
  FROM tax_receipts r
  JOIN donations d ON (d.organization_id, d.id) = (r.organization_id, r.donation_id)
  JOIN donors o ON (o.organization_id, o.id) = (d.organization_id, d.donor_id)
 WHERE r.status = 'valid' AND o.erased_at IS NULL AND o.name_corrected_at >= d.created_at
   AND r.printed->>'donor_name' <> o.first_name || ' ' || o.last_name;

-- name: a donor with annual receipts of a year has one valid one for the entries of the gifts of that year, or none if no money was kept
-- examines: tax_receipts WHERE donation_id IS NULL
WITH annual AS (
  SELECT organization_id, donor_id, tax_year, count(*) FILTER (WHERE status = 'valid') AS valid_receipts,
         sum(amount_cents) FILTER (WHERE status = 'valid') AS receipt_cents
    FROM tax_receipts WHERE donation_id IS NULL GROUP BY 1, 2, 3),
kept AS (
  SELECT d.organization_id, d.donor_id, d.tax_year,
         sum(CASE e.kind WHEN 'returned' THEN -e.amount_cents ELSE e.amount_cents END) AS cents
    FROM donation_entries e JOIN donations d ON (d.organization_id, d.id) = (e.organization_id, e.donation_id)
   WHERE d.method <> 'donor_advised_fund' GROUP BY 1, 2, 3)
SELECT a.organization_id, a.donor_id, a.tax_year, a.valid_receipts, a.receipt_cents, k.cents AS kept_cents
  FROM annual a LEFT JOIN kept k ON (k.organization_id, k.donor_id, k.tax_year) = (a.organization_id, a.donor_id, a.tax_year)
 WHERE a.valid_receipts <> (coalesce(k.cents, 0) > 0)::int OR coalesce(a.receipt_cents, 0) <> coalesce(k.cents, 0);

-- name: an annual receipt lists each gift of its donor and year once, and its amount is the sum of what was kept of them
-- examines: tax_receipts WHERE donation_id IS NULL
WITH listed AS (
  SELECT r.organization_id, r.id, r.donor_id, r.tax_year, r.status, r.amount_cents, (g->>'donation')::uuid AS donation_id,
         (g->>'charged_cents')::bigint AS charged_cents, (g->>'returned_cents')::bigint AS returned_cents
    FROM tax_receipts r CROSS JOIN LATERAL jsonb_array_elements(r.printed->'gifts') g WHERE r.donation_id IS NULL)
SELECT l.organization_id, l.id AS receipt_id, l.amount_cents, sum(l.charged_cents - l.returned_cents) AS listed_cents, count(*) AS listed
  FROM listed l LEFT JOIN donations d ON (d.organization_id, d.id) = (l.organization_id, l.donation_id)
 GROUP BY l.organization_id, l.id, l.amount_cents
HAVING sum(l.charged_cents - l.returned_cents) <> l.amount_cents OR count(DISTINCT l.donation_id) <> count(*)
    OR bool_or(l.charged_cents <= l.returned_cents OR d.method = 'donor_advised_fund')
    OR bool_or((d.donor_id, d.tax_year, d.amount_cents) IS DISTINCT FROM (l.donor_id, l.tax_year, l.charged_cents))
    OR bool_or(l.status = 'valid' AND d.refunded_cents <> l.returned_cents);

-- name: the annual receipts of a donor and year replace one another in one line, and a superseded one has a successor
-- examines: tax_receipts WHERE donation_id IS NULL
SELECT r.organization_id, r.donor_id, r.tax_year, count(*) AS receipts, count(*) FILTER (WHERE r.replaces IS NULL) AS first_ones,
       count(*) FILTER (WHERE r.status = 'superseded' AND s.id IS NULL) AS without_successor
  FROM tax_receipts r
  LEFT JOIN tax_receipts s ON (s.organization_id, s.replaces) = (r.organization_id, r.id)
  LEFT JOIN tax_receipts o ON (o.organization_id, o.id) = (r.organization_id, r.replaces)
 WHERE r.donation_id IS NULL
 GROUP BY 1, 2, 3
HAVING count(*) FILTER (WHERE r.replaces IS NULL) <> 1
    OR count(*) FILTER (WHERE r.status = 'superseded' AND s.id IS NULL) > 0
    OR bool_or(o.id IS NOT NULL AND (o.donation_id IS NOT NULL OR o.status = 'valid'
                                     OR (o.donor_id, o.tax_year) <> (r.donor_id, r.tax_year)));

-- name: an ended run of annual receipts has issued receipts for donors of its plan only, and counted them
-- examines: annual_receipt_runs
SELECT n.organization_id, n.id AS run_id, n.status, n.receipts_planned, n.receipts_issued, n.issued_cents, count(r.id) AS receipts,
       sum(r.amount_cents) AS receipt_cents
  FROM annual_receipt_runs n
  LEFT JOIN tax_receipts r ON (r.organization_id, r.annual_run_id) = (n.organization_id, n.id)
  LEFT JOIN annual_receipt_items i ON (i.organization_id, i.run_id, i.donor_id) = (n.organization_id, n.id, r.donor_id)
 GROUP BY n.id
HAVING n.receipts_issued <> count(r.id) OR n.issued_cents <> coalesce(sum(r.amount_cents), 0)
    OR bool_or(r.id IS NOT NULL AND (i.id IS NULL OR i.amount_cents <> r.amount_cents OR r.tax_year <> n.tax_year));

-- name: money charged after a pledge was cancelled is returned, or its refund is on its way
-- examines: recurring_pledges WHERE cancelled_at IS NOT NULL
SELECT g.organization_id, g.id AS pledge_id, p.n AS period, g.cancelled_at, p.closed_at AS paid_at, d.amount_cents, d.refunded_cents
  FROM recurring_pledges g
  JOIN pledge_periods p ON (p.organization_id, p.pledge_id) = (g.organization_id, g.id) AND p.status = 'paid' AND p.closed_at > g.cancelled_at
  JOIN donations d ON (d.organization_id, d.id) = (p.organization_id, p.donation_id) AND d.status = 'completed'
  JOIN donation_entries e ON (e.organization_id, e.donation_id) = (d.organization_id, d.id) AND e.kind = 'received'
 WHERE NOT EXISTS (SELECT FROM capture_resolutions r
   WHERE (r.organization_id, r.capture_id) = (e.organization_id, e.capture_id) AND r.resolution = 'refund'
     -- a refund that failed is requested again within a day
     AND (r.status = 'pending' OR r.finished_at > now() - interval '2 days'));

-- name: a period of a pledge is paid by exactly one charge that was not returned
-- examines: pledge_periods WHERE n > 0
SELECT p.organization_id, p.pledge_id, p.n AS period, p.status, d.status AS gift_status, d.amount_cents,
       count(c.id) AS charges
  FROM pledge_periods p
  JOIN donations d ON (d.organization_id, d.id) = (p.organization_id, p.donation_id)
  LEFT JOIN processor_captures c ON (c.organization_id, c.donation_id) = (d.organization_id, d.id) AND c.disposition = 'recorded'
 WHERE p.n > 0
 GROUP BY p.id, d.id
HAVING count(c.id) > 1 OR (p.status = 'paid') <> (d.charged_at IS NOT NULL)
    OR (d.pledge_id, d.period) IS DISTINCT FROM (p.pledge_id, p.n);

-- name: the periods of a pledge are due on their own days, and the next one comes after all of them
-- examines: recurring_pledges
SELECT g.organization_id, g.id AS pledge_id, g.next_period, max(p.n) AS last_period, g.next_due_at, max(p.due_at) AS last_due_at, min(g.amount_cents) AS amount_cents
  FROM recurring_pledges g
  JOIN pledge_periods p ON (p.organization_id, p.pledge_id) = (g.organization_id, g.id)
 GROUP BY g.id HAVING g.next_period <= max(p.n) OR min(p.n) <> 0 OR g.next_due_at <= max(p.due_at) FILTER (WHERE p.n > 0);

-- name: a charge that is not confirmed does not outlive its withdrawn period by more than an hour
-- examines: payment_attempts WHERE pledge_id IS NOT NULL AND NOT has_page
SELECT a.organization_id, a.id AS attempt_id, a.pledge_id, p.n AS period, a.amount_cents, p.closed_at
  FROM payment_attempts a
  JOIN pledge_periods p ON (p.organization_id, p.donation_id) = (a.organization_id, a.donation_id)
 WHERE a.status = 'pending' AND NOT a.has_page AND p.closed_at < now() - interval '1 hour';

-- name: the card of a cancelled pledge is forgotten within a day
-- examines: recurring_pledges WHERE cancelled_at IS NOT NULL
SELECT g.organization_id, g.id AS pledge_id, g.cancelled_at, g.amount_cents
  FROM recurring_pledges g
 WHERE (g.card_encrypted IS NOT NULL OR g.retired_card_encrypted IS NOT NULL) AND g.cancelled_at < now() - interval '1 day';
