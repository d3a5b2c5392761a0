-- Rules that the ledger must satisfy at all times. Each query returns the rows that break its rule, with their amounts.
-- Run by `npm run check-ledger`, by tests and, as the owner role, by hand: psql -f models/finances/invariants.sql
-- 'examines' names the rows to count. Platform tables are visible to every role, so that counting them proves nothing.
-- The queries derive all values from the ledgers, independent of the functions and triggers that maintain the columns.

-- name: the balance of an invoice is not negative
-- examines: chapter_invoices
SELECT organization_id, id AS invoice_id, balance_due_cents, total_cents, discount_cents, credit_cents, paid_cents
  FROM chapter_invoices
 WHERE least(balance_due_cents, total_cents, discount_cents, credit_cents, paid_cents) < 0;

-- name: an invoice's amounts are the sums of its lines, discounts, credit and payments
-- examines: chapter_invoices
WITH lines AS (
  SELECT invoice_id, sum(quantity * unit_amount_cents) AS cents FROM invoice_line_items GROUP BY 1),
discounts AS (
  SELECT invoice_id, sum(amount_cents) AS cents FROM invoice_discounts WHERE voided_at IS NULL GROUP BY 1),
credits AS (
  SELECT applied.invoice_id, sum(applied.amount_cents) AS cents FROM chapter_account_credits applied
   WHERE applied.kind = 'applied'
     AND NOT EXISTS (SELECT 1 FROM chapter_account_credits undone WHERE undone.reverses = applied.id)
   GROUP BY 1),
payments AS (
  SELECT invoice_id, sum(amount_cents - refunded_cents) AS cents FROM payment_records WHERE status = 'succeeded' GROUP BY 1),
-- The part of an invoice's payments that became credit, and therefore does not pay the invoice.
overpayments AS (
  SELECT p.invoice_id, sum(CASE c.kind WHEN 'issued' THEN c.amount_cents ELSE -c.amount_cents END) AS cents
    FROM chapter_account_credits c
    JOIN payment_records p ON p.organization_id = c.organization_id AND p.id = c.payment_record_id
   WHERE c.kind IN ('issued', 'refunded', 'shortfall')
     AND NOT EXISTS (SELECT 1 FROM chapter_account_credits undone WHERE undone.reverses = c.id)
   GROUP BY 1),
derived AS (
  SELECT i.*, coalesce(l.cents, 0) AS total, coalesce(d.cents, 0) AS discount, coalesce(c.cents, 0) AS credit,
         coalesce(p.cents, 0) AS paid, coalesce(o.cents, 0) AS overpaid
    FROM chapter_invoices i
    LEFT JOIN lines l ON l.invoice_id = i.id LEFT JOIN discounts d ON d.invoice_id = i.id
    LEFT JOIN credits c ON c.invoice_id = i.id LEFT JOIN payments p ON p.invoice_id = i.id
    LEFT JOIN overpayments o ON o.invoice_id = i.id)
SELECT organization_id, id AS invoice_id, status, balance_due_cents, total_cents, total AS lines_cents, discount_cents,
       discount AS discounts_cents, credit_cents, credit AS credits_cents, paid_cents, paid AS payments_cents,
       overpaid_cents, overpaid AS overpayments_cents
  FROM derived
 WHERE (total_cents, discount_cents, credit_cents, paid_cents, overpaid_cents) <> (total, discount, credit, paid, overpaid)
    OR balance_due_cents <> CASE status WHEN 'void' THEN 0 ELSE greatest(total - discount - credit - paid + overpaid, 0) END;

-- name: an invoice's status follows from its amounts and dates
-- examines: chapter_invoices
SELECT organization_id, id AS invoice_id, status, total_cents, balance_due_cents, paid_cents, overpaid_cents, credit_cents
  FROM chapter_invoices
 WHERE status <> CASE WHEN voided_at IS NOT NULL THEN 'void' WHEN total_cents > 0 AND balance_due_cents = 0 THEN 'paid'
                      WHEN overdue_at IS NOT NULL THEN 'overdue'
                      WHEN paid_cents - overpaid_cents + credit_cents > 0 THEN 'partially_paid' ELSE 'open' END
    OR (status = 'paid' AND paid_at IS NULL);

-- name: a payer has at most one non-void recurring invoice per term
-- examines: chapter_invoices WHERE is_recurring AND status <> 'void'
SELECT organization_id, term_id, chapter_id, membership_id, count(*) AS invoices, sum(total_cents) AS total_cents
  FROM chapter_invoices WHERE is_recurring AND status <> 'void'
 GROUP BY organization_id, term_id, chapter_id, payer_type, membership_id HAVING count(*) > 1;

-- name: a completed dues run issued as many invoices as it counted
-- examines: dues_runs WHERE status = 'completed'
WITH issued AS (
  SELECT i.organization_id, i.dues_run_id, count(DISTINCT i.id) AS invoices, coalesce(sum(l.amount_cents), 0) AS cents
    FROM chapter_invoices i
    LEFT JOIN invoice_line_items l ON l.organization_id = i.organization_id AND l.invoice_id = i.id
   WHERE i.dues_run_id IS NOT NULL GROUP BY 1, 2)
SELECT r.organization_id, r.id AS dues_run_id, r.invoices_issued, coalesce(issued.invoices, 0) AS invoices, r.issued_cents,
       coalesce(issued.cents, 0) AS lines_cents
  FROM dues_runs r LEFT JOIN issued ON (issued.organization_id, issued.dues_run_id) = (r.organization_id, r.id)
 WHERE r.status = 'completed'
   -- Only a run that counted more than its invoices contain is an error. An invoice may have got more lines since the
   -- run, but lines are never removed.
   AND (r.invoices_issued > coalesce(issued.invoices, 0) OR r.issued_cents > coalesce(issued.cents, 0));

-- name: reissued dues are void, and their payments are on the replacing invoice
-- examines: chapter_invoices WHERE replaces IS NOT NULL
SELECT n.organization_id, n.id AS invoice_id, n.replaces, o.status, o.paid_cents, o.credit_cents
  FROM chapter_invoices n JOIN chapter_invoices o ON o.organization_id = n.organization_id AND o.id = n.replaces
 WHERE o.status <> 'void' OR o.membership_id IS DISTINCT FROM n.membership_id OR o.term_id IS DISTINCT FROM n.term_id
    OR o.paid_cents + o.overpaid_cents + o.credit_cents <> 0;

-- name: no payment is refunded by more than its amount
-- examines: payment_records
SELECT organization_id, id AS payment_id, amount_cents, refunded_cents FROM payment_records
 WHERE refunded_cents NOT BETWEEN 0 AND amount_cents OR amount_cents <= 0;

-- name: payments beyond an invoice's total, or on a void invoice, are its payer's credit
-- examines: chapter_invoices
WITH lines AS (
  SELECT invoice_id, sum(quantity * unit_amount_cents) AS cents FROM invoice_line_items GROUP BY 1),
applied AS (
  SELECT c.invoice_id, sum(c.amount_cents) AS cents FROM chapter_account_credits c
   WHERE c.kind = 'applied' AND NOT EXISTS (SELECT 1 FROM chapter_account_credits undone WHERE undone.reverses = c.id)
   GROUP BY 1),
became_credit AS (
  SELECT payment_record_id, sum(CASE kind WHEN 'issued' THEN amount_cents ELSE -amount_cents END) AS cents
    FROM chapter_account_credits c
   WHERE payment_record_id IS NOT NULL AND kind NOT IN ('reversed', 'moved_out', 'moved_in')
     AND NOT EXISTS (SELECT 1 FROM chapter_account_credits undone WHERE undone.reverses = c.id)
   GROUP BY 1),
standing AS (
  SELECT p.invoice_id, sum(p.amount_cents - p.refunded_cents - coalesce(b.cents, 0)) AS cents
    FROM payment_records p LEFT JOIN became_credit b ON b.payment_record_id = p.id
   WHERE p.status = 'succeeded' GROUP BY 1)
SELECT i.organization_id, i.id AS invoice_id, i.status, coalesce(lines.cents, 0) AS lines_cents,
       coalesce(standing.cents, 0) AS standing_cents, coalesce(applied.cents, 0) AS credits_cents
  FROM chapter_invoices i
  LEFT JOIN lines ON lines.invoice_id = i.id LEFT JOIN applied ON applied.invoice_id = i.id
  LEFT JOIN standing ON standing.invoice_id = i.id
 WHERE standing.cents < 0
    OR coalesce(standing.cents, 0) + coalesce(applied.cents, 0) > CASE i.status WHEN 'void' THEN 0 ELSE coalesce(lines.cents, 0) END;

-- name: credit from a payment does not exceed what remains of the payment
-- examines: chapter_account_credits WHERE payment_record_id IS NOT NULL
SELECT p.organization_id, p.id AS payment_id, p.amount_cents, p.refunded_cents,
       sum(CASE c.kind WHEN 'issued' THEN c.amount_cents ELSE -c.amount_cents END) AS credit_cents
  FROM chapter_account_credits c
  JOIN payment_records p ON p.organization_id = c.organization_id AND p.id = c.payment_record_id
 WHERE c.kind NOT IN ('reversed', 'moved_out', 'moved_in')
   AND NOT EXISTS (SELECT 1 FROM chapter_account_credits undone WHERE undone.reverses = c.id)
 GROUP BY p.id
HAVING sum(CASE c.kind WHEN 'issued' THEN c.amount_cents ELSE -c.amount_cents END) NOT BETWEEN 0 AND p.amount_cents - p.refunded_cents
    OR p.status <> 'succeeded';

-- name: no membership used more of a payment's credit than it received
-- examines: chapter_account_credits WHERE payment_record_id IS NOT NULL
SELECT c.organization_id, c.payment_record_id AS payment_id, c.chapter_id, c.membership_id,
       sum(CASE WHEN c.kind IN ('issued', 'moved_in') THEN c.amount_cents ELSE -c.amount_cents END) AS credit_cents
  FROM chapter_account_credits c
 WHERE c.payment_record_id IS NOT NULL AND c.kind <> 'reversed'
   AND NOT EXISTS (SELECT 1 FROM chapter_account_credits undone WHERE undone.reverses = c.id)
 GROUP BY 1, 2, 3, 4 HAVING sum(CASE WHEN c.kind IN ('issued', 'moved_in') THEN c.amount_cents ELSE -c.amount_cents END) < 0;

-- name: moved credit reached another membership of the same person, in full and with the same source
-- examines: chapter_account_credits WHERE kind = 'moved_out'
SELECT coalesce(o.organization_id, n.organization_id) AS organization_id, o.membership_id AS left_membership_id,
       n.membership_id AS came_membership_id, o.amount_cents AS left_cents, n.amount_cents AS came_cents
  FROM (SELECT * FROM chapter_account_credits WHERE kind = 'moved_out') o
  FULL JOIN (SELECT * FROM chapter_account_credits WHERE kind = 'moved_in') n
    ON (n.organization_id, n.moved_from) = (o.organization_id, o.id)
  LEFT JOIN memberships a ON a.id = o.membership_id LEFT JOIN memberships b ON b.id = n.membership_id
 WHERE o.id IS NULL OR n.id IS NULL OR o.amount_cents <> n.amount_cents OR a.id = b.id OR a.user_id IS DISTINCT FROM b.user_id
    OR (o.payment_record_id, o.invoice_id, o.capture_resolution_id) IS DISTINCT FROM (n.payment_record_id, n.invoice_id, n.capture_resolution_id);

-- name: a payer's credit is issued minus applied, refunded and recovered, and never negative
-- examines: chapter_account_credits
WITH effects AS (
  SELECT e.organization_id, e.chapter_id, e.membership_id, app.credit_effect(e) AS derived,
         CASE coalesce(original.kind, e.kind) WHEN 'issued' THEN 1 WHEN 'moved_in' THEN 1 WHEN 'shortfall' THEN 0 ELSE -1 END
           * CASE WHEN e.kind = 'reversed' THEN -1 ELSE 1 END * e.amount_cents AS cents
    FROM chapter_account_credits e
    LEFT JOIN chapter_account_credits original ON original.id = e.reverses)
SELECT organization_id, chapter_id, membership_id, sum(cents) AS balance_cents, sum(derived) AS derived_cents
  FROM effects GROUP BY 1, 2, 3 HAVING sum(cents) < 0 OR sum(cents) <> sum(derived);

-- name: a payer's account adds up
-- examines: chapter_invoices
-- billed on non-void invoices + refunded + credit paid out
--   = paid + effective discounts + credit issued + shortfalls + balance due - unspent credit
-- Moved credit counts as paid out here and issued there; credit taken back there from a payment here was returned here first.
WITH lines AS (
  SELECT invoice_id, sum(quantity * unit_amount_cents) AS cents FROM invoice_line_items GROUP BY 1),
discounts AS (
  SELECT invoice_id, sum(amount_cents) AS cents FROM invoice_discounts WHERE voided_at IS NULL GROUP BY 1),
payments AS (
  SELECT invoice_id, sum(amount_cents) AS cents, sum(refunded_cents) AS refunded FROM payment_records
   WHERE status = 'succeeded' GROUP BY 1),
-- Entries that were not reversed, with their effect on the payer's credit and on the invoice.
entries AS (
  SELECT c.*, CASE WHEN kind IN ('issued', 'moved_in') THEN amount_cents WHEN kind = 'shortfall' THEN 0 ELSE -amount_cents END AS effect,
         CASE WHEN kind = 'applied' THEN amount_cents
              WHEN kind = 'issued' AND payment_record_id IS NOT NULL THEN -amount_cents
              WHEN kind IN ('refunded', 'shortfall') AND payment_record_id IS NOT NULL THEN amount_cents ELSE 0 END AS on_invoice
    FROM chapter_account_credits c
   WHERE kind <> 'reversed' AND NOT EXISTS (SELECT 1 FROM chapter_account_credits undone WHERE undone.reverses = c.id)),
credits AS (
  SELECT invoice_id, sum(on_invoice) AS cents FROM entries WHERE invoice_id IS NOT NULL GROUP BY 1),
postings AS (
  SELECT i.organization_id, i.chapter_id, i.membership_id, i.balance_due_cents AS due,
         CASE i.status WHEN 'void' THEN 0 ELSE coalesce(l.cents, 0) END AS billed,
         coalesce(p.cents, 0) AS paid, coalesce(p.refunded, 0) AS refunded,
         -- the part of a discount that exceeds the balance has no effect
         CASE i.status WHEN 'void' THEN 0 ELSE least(coalesce(d.cents, 0), greatest(0,
           coalesce(l.cents, 0) - coalesce(p.cents - p.refunded, 0) - coalesce(c.cents, 0))) END AS discounted,
         0 AS given, 0 AS paid_out, 0 AS short, 0 AS unspent
    FROM chapter_invoices i
    LEFT JOIN lines l ON l.invoice_id = i.id LEFT JOIN discounts d ON d.invoice_id = i.id
    LEFT JOIN payments p ON p.invoice_id = i.id LEFT JOIN credits c ON c.invoice_id = i.id
  UNION ALL
  SELECT organization_id, chapter_id, membership_id, 0, 0, 0, 0, 0,
         CASE WHEN kind = 'moved_in' OR (kind = 'issued' AND payment_record_id IS NULL) THEN amount_cents ELSE 0 END,
         CASE WHEN kind = 'moved_out' OR (kind IN ('refunded', 'shortfall') AND payment_record_id IS NULL) THEN amount_cents ELSE 0 END,
         CASE kind WHEN 'shortfall' THEN amount_cents WHEN 'recovered' THEN -amount_cents ELSE 0 END, effect
    FROM entries
  UNION ALL
  SELECT i.organization_id, i.chapter_id, i.membership_id, 0, 0, 0, 0, 0, e.amount_cents, 0, 0, 0
    FROM entries e JOIN chapter_invoices i ON i.id = e.invoice_id
   WHERE e.kind IN ('refunded', 'shortfall') AND e.payment_record_id IS NOT NULL AND e.membership_id <> i.membership_id
  UNION ALL
  SELECT e.organization_id, e.chapter_id, e.membership_id, 0, 0, 0, 0, 0, 0, e.amount_cents, 0, 0
    FROM entries e JOIN chapter_invoices i ON i.id = e.invoice_id
   WHERE e.kind IN ('refunded', 'shortfall') AND e.payment_record_id IS NOT NULL AND e.membership_id <> i.membership_id),
accounts AS (
  SELECT organization_id, chapter_id, membership_id, sum(billed) AS billed_cents, sum(refunded) AS refunded_cents,
         sum(paid_out) AS paid_out_cents, sum(paid) AS paid_cents, sum(discounted) AS discounted_cents, sum(given) AS given_cents,
         sum(short) AS shortfall_cents, sum(due) AS due_cents, sum(unspent) AS unspent_cents
    FROM postings GROUP BY 1, 2, 3)
SELECT * FROM accounts
 WHERE billed_cents + refunded_cents + paid_out_cents
    <> paid_cents + discounted_cents + given_cents + shortfall_cents + due_cents - unspent_cents;

-- name: a payer with a credit shortfall has no credit left, spent or unspent
-- examines: chapter_account_credits
WITH standing AS (
  SELECT organization_id, chapter_id, membership_id, kind, amount_cents FROM chapter_account_credits c
   WHERE kind <> 'reversed' AND NOT EXISTS (SELECT 1 FROM chapter_account_credits undone WHERE undone.reverses = c.id)),
accounts AS (
  SELECT organization_id, chapter_id, membership_id,
         sum(CASE kind WHEN 'shortfall' THEN amount_cents WHEN 'recovered' THEN -amount_cents ELSE 0 END) AS shortfall_cents,
         sum(CASE WHEN kind IN ('issued', 'moved_in') THEN amount_cents WHEN kind = 'shortfall' THEN 0 ELSE -amount_cents END) AS unspent_cents,
         sum(amount_cents) FILTER (WHERE kind = 'applied') AS applied_cents
    FROM standing GROUP BY 1, 2, 3)
SELECT * FROM accounts
 WHERE shortfall_cents < 0 OR (shortfall_cents > 0 AND unspent_cents + coalesce(applied_cents, 0) > 0);

-- name: a reversal undoes one whole entry of the same payer, once
-- examines: chapter_account_credits WHERE kind = 'reversed'
SELECT r.organization_id, r.id AS credit_id, r.reverses, r.amount_cents, o.amount_cents AS reversed_cents
  FROM chapter_account_credits r LEFT JOIN chapter_account_credits o ON o.id = r.reverses
 WHERE r.kind = 'reversed'
   AND (o.id IS NULL OR o.kind IN ('reversed', 'shortfall', 'recovered', 'moved_out', 'moved_in') OR o.amount_cents <> r.amount_cents
     OR (o.organization_id, o.chapter_id) <> (r.organization_id, r.chapter_id)
     OR o.membership_id IS DISTINCT FROM r.membership_id
     OR EXISTS (SELECT 1 FROM chapter_account_credits twice WHERE twice.reverses = r.reverses AND twice.id <> r.id));

-- name: credit pays invoices of its own payer only
-- examines: chapter_account_credits WHERE kind = 'applied'
SELECT c.organization_id, c.id AS credit_id, c.invoice_id, c.amount_cents
  FROM chapter_account_credits c LEFT JOIN chapter_invoices i ON i.organization_id = c.organization_id AND i.id = c.invoice_id
 WHERE c.kind = 'applied'
   AND (i.id IS NULL OR i.chapter_id <> c.chapter_id OR i.payer_type <> c.payer_type
     OR i.membership_id IS DISTINCT FROM c.membership_id);

-- name: a remittance's total is the sum of its allocations
-- examines: chapter_remittances
SELECT r.organization_id, r.id AS remittance_id, r.total_cents, coalesce(sum(a.amount_cents), 0) AS shares_cents
  FROM chapter_remittances r
  LEFT JOIN chapter_remittance_allocations a ON a.organization_id = r.organization_id AND a.remittance_id = r.id
 GROUP BY r.id HAVING r.total_cents <> coalesce(sum(a.amount_cents), 0);

-- name: an allocation is for a member invoice of the remittance's chapter
-- examines: chapter_remittance_allocations
SELECT a.organization_id, a.id AS allocation_id, a.remittance_id, a.invoice_id, a.amount_cents
  FROM chapter_remittance_allocations a
  JOIN chapter_remittances r ON r.organization_id = a.organization_id AND r.id = a.remittance_id
  JOIN chapter_invoices i ON i.organization_id = a.organization_id AND i.id = a.invoice_id
 WHERE i.payer_type <> 'member' OR i.chapter_id <> r.chapter_id OR a.chapter_id <> r.chapter_id;

-- name: every allocation of a settled remittance has its own child payment, and none of an unsettled remittance has one
-- examines: chapter_remittance_allocations
SELECT a.organization_id, a.remittance_id, a.invoice_id, a.amount_cents, p.amount_cents AS paid_cents, p.processor_payment_id
  FROM chapter_remittance_allocations a
  JOIN chapter_remittances r ON r.organization_id = a.organization_id AND r.id = a.remittance_id
  LEFT JOIN payment_records p ON p.organization_id = a.organization_id AND p.id = a.payment_record_id
 WHERE (r.settled_at IS NOT NULL) <> (p.id IS NOT NULL)
    OR p.status <> 'succeeded' OR coalesce(p.remittance_id <> a.remittance_id, p.id IS NOT NULL)
    OR coalesce(p.charged_invoice_id, p.invoice_id) <> a.invoice_id
    OR p.amount_cents <> a.amount_cents OR p.processor_payment_id <> a.remittance_id || ':' || a.invoice_id;

-- name: every child payment belongs to an allocation
-- examines: payment_records WHERE remittance_id IS NOT NULL
SELECT p.organization_id, p.id AS payment_id, p.remittance_id, p.invoice_id, p.amount_cents
  FROM payment_records p
 WHERE p.remittance_id IS NOT NULL
   AND NOT EXISTS (SELECT 1 FROM chapter_remittance_allocations a
                    WHERE a.organization_id = p.organization_id AND a.payment_record_id = p.id);

-- name: child payments sum to their remittance's total and to the money captured for it
-- examines: chapter_remittances WHERE settled_at IS NOT NULL
WITH children AS (
  SELECT organization_id, remittance_id, sum(amount_cents) AS cents FROM payment_records
   WHERE remittance_id IS NOT NULL AND status = 'succeeded' GROUP BY 1, 2),
credited AS (
  SELECT organization_id, processor_id, intent_id, sum(amount_cents) AS cents FROM payment_records
   WHERE remittance_id IS NOT NULL AND status = 'succeeded' GROUP BY 1, 2, 3),
captured AS (
  SELECT c.organization_id, c.remittance_id, sum(c.amount_cents) AS cents, sum(c.refunded_cents) AS refunded,
         -- A charge can be partly credited and flagged again, because a refund of the rest failed: that rest still
         -- awaits a decision.
         sum(CASE c.disposition WHEN 'flagged' THEN c.amount_cents - c.refunded_cents - credited.cents ELSE 0 END) AS waiting
    FROM processor_captures c
    LEFT JOIN credited ON (credited.organization_id, credited.processor_id, credited.intent_id)
                        = (c.organization_id, c.processor_id, c.intent_id)
   WHERE c.remittance_id IS NOT NULL AND (c.disposition IN ('recorded', 'resolved') OR credited.cents > 0) GROUP BY 1, 2)
SELECT r.organization_id, r.id AS remittance_id, r.total_cents, coalesce(children.cents, 0) AS children_cents,
       coalesce(captured.cents, 0) AS captured_cents
  FROM chapter_remittances r
  LEFT JOIN children ON (children.organization_id, children.remittance_id) = (r.organization_id, r.id)
  LEFT JOIN captured ON (captured.organization_id, captured.remittance_id) = (r.organization_id, r.id)
 WHERE r.settled_at IS NOT NULL
   AND (coalesce(children.cents, 0) <> r.total_cents
     -- The lower limit leaves out refunded money, because money that was refunded before an officer resolved the flag
     -- was never credited.
     OR r.total_cents NOT BETWEEN coalesce(captured.cents - captured.refunded - captured.waiting, 0) AND coalesce(captured.cents, 0));

-- name: a remittance is settled by one charge at most
-- examines: processor_captures WHERE remittance_id IS NOT NULL
SELECT organization_id, remittance_id, count(*) AS charges, sum(amount_cents) AS captured_cents
  FROM processor_captures WHERE remittance_id IS NOT NULL AND disposition = 'recorded'
 GROUP BY 1, 2 HAVING count(*) > 1;

-- name: a flag on a remittance has a reason and exactly the uncredited amount
-- examines: chapter_remittances WHERE reconciliation_flagged_at IS NOT NULL
WITH flagged AS (
  -- Only one charge of a remittance is flagged at a time, the oldest first. The platform's own refunds of its payments
  -- do not reduce the uncredited amount.
  SELECT DISTINCT ON (organization_id, remittance_id) organization_id, remittance_id, refunded_cents - coalesce((SELECT sum(o.amount_cents) FROM refunds o WHERE o.organization_id = c.organization_id
            AND o.capture_id = c.id AND o.status = 'succeeded'), 0) AS refunded,
         amount_cents - coalesce((SELECT sum(p.amount_cents) FROM payment_records p WHERE p.organization_id = c.organization_id
            AND p.processor_id = c.processor_id AND p.intent_id = c.intent_id AND p.status = 'succeeded'), 0) AS cents
    FROM processor_captures c WHERE disposition = 'flagged' AND remittance_id IS NOT NULL ORDER BY organization_id, remittance_id, id)
SELECT r.organization_id, r.id AS remittance_id, r.reconciliation_reason, r.reconciliation_amount_cents,
       coalesce(flagged.cents, 0) AS flagged_cents
  FROM chapter_remittances r
  LEFT JOIN flagged ON (flagged.organization_id, flagged.remittance_id) = (r.organization_id, r.id)
 WHERE num_nonnulls(r.reconciliation_flagged_at, r.reconciliation_amount_cents, r.reconciliation_reason) IN (1, 2)
    OR (r.reconciliation_flagged_at IS NULL AND (r.resolved_at IS NOT NULL OR flagged.cents IS NOT NULL))
    OR (r.resolved_at >= r.reconciliation_flagged_at AND (flagged.cents IS NOT NULL OR (r.settled_at IS NULL AND EXISTS (
        -- A remittance that is resolved but not settled is correct only if its whole charge was refunded.
        SELECT 1 FROM processor_captures c WHERE c.organization_id = r.organization_id AND c.remittance_id = r.id
           AND c.refunded_cents < c.amount_cents))))
    OR (r.reconciliation_flagged_at IS NOT NULL AND (r.resolved_at IS NULL OR r.resolved_at < r.reconciliation_flagged_at)
        AND r.reconciliation_amount_cents IS DISTINCT FROM greatest(0, flagged.cents - flagged.refunded));

-- name: captured money is recorded, flagged or resolved
-- examines: processor_captures
WITH kept AS (
  -- A refund takes the kept credit back, and a failed refund restores it.
  SELECT r.organization_id, r.capture_id, sum(CASE WHEN k.kind IN ('issued', 'moved_in') THEN k.amount_cents ELSE -k.amount_cents END) AS cents
    FROM capture_resolutions r
    JOIN chapter_account_credits k ON k.organization_id = r.organization_id AND k.capture_resolution_id = r.id
   GROUP BY 1, 2),
credited AS (
  SELECT organization_id, processor_id, intent_id, coalesce(charged_invoice_id, invoice_id) AS invoice_id,
         remittance_id IS NOT NULL AS child, sum(amount_cents) AS cents
    FROM payment_records WHERE status = 'succeeded' AND intent_id IS NOT NULL GROUP BY 1, 2, 3, 4, 5),
of_intent AS (
  SELECT organization_id, intent_id, sum(cents) AS cents FROM credited GROUP BY 1, 2)
SELECT c.organization_id, c.id AS capture_id, c.intent_id, c.disposition, c.amount_cents, of_intent.cents AS credited_cents,
       kept.cents AS kept_cents
  FROM processor_captures c
  LEFT JOIN kept ON (kept.organization_id, kept.capture_id) = (c.organization_id, c.id)
  LEFT JOIN chapter_remittances r ON r.organization_id = c.organization_id AND r.id = c.remittance_id
  LEFT JOIN of_intent ON (of_intent.organization_id, of_intent.intent_id) = (c.organization_id, c.intent_id)
  LEFT JOIN credited own ON (own.organization_id, own.processor_id, own.intent_id, own.invoice_id)
                          = (c.organization_id, c.processor_id, c.intent_id, c.invoice_id) AND NOT own.child
 -- Charges of gifts are left out here; the rules for them are in models/foundation/invariants.sql.
 WHERE c.donation_id IS NULL AND CASE
   WHEN c.disposition = 'recorded' AND c.remittance_id IS NOT NULL THEN r.settled_at IS NULL OR r.processor_payment_id <> c.intent_id
   WHEN c.disposition = 'recorded' THEN own.cents IS DISTINCT FROM c.amount_cents
   -- Money that was refunded before an officer's decision was never credited, so the credited sum may be lower than the
   -- captured amount.
   WHEN c.disposition = 'resolved' THEN coalesce(of_intent.cents, 0) + coalesce(kept.cents, 0) NOT BETWEEN c.amount_cents - c.refunded_cents AND c.amount_cents
   ELSE c.remittance_id IS NOT NULL AND (r.reconciliation_flagged_at IS NULL OR r.resolved_at >= r.reconciliation_flagged_at) END;

-- name: retained credit equals what remains of its unmatched payment
-- examines: capture_resolutions WHERE resolution = 'keep_as_credit'
WITH entries AS (
  SELECT organization_id, capture_resolution_id, sum(amount_cents) FILTER (WHERE kind = 'issued') AS issued,
         coalesce(sum(amount_cents) FILTER (WHERE kind IN ('refunded', 'shortfall')), 0) AS taken_back
    FROM chapter_account_credits WHERE capture_resolution_id IS NOT NULL GROUP BY 1, 2)
SELECT r.organization_id, r.id AS resolution_id, r.capture_id, r.amount_cents, e.issued AS issued_cents,
       e.taken_back AS taken_back_cents, c.amount_cents AS captured_cents, c.refunded_cents
  FROM capture_resolutions r
  JOIN processor_captures c ON c.organization_id = r.organization_id AND c.id = r.capture_id
  LEFT JOIN entries e ON (e.organization_id, e.capture_resolution_id) = (r.organization_id, r.id)
 WHERE r.resolution = 'keep_as_credit'
   AND (coalesce(e.issued, 0) < r.amount_cents OR e.issued - e.taken_back <> c.amount_cents - c.refunded_cents
     OR c.disposition <> 'resolved');

-- name: completed refunds of an unmatched payment do not exceed the refunded amount of its charge
-- examines: capture_resolutions WHERE resolution = 'refund'
SELECT c.organization_id, c.id AS capture_id, c.amount_cents AS captured_cents, c.refunded_cents, sum(r.amount_cents) AS given_back_cents
  FROM capture_resolutions r
  JOIN processor_captures c ON c.organization_id = r.organization_id AND c.id = r.capture_id
 WHERE r.resolution = 'refund' AND r.status = 'done'
 GROUP BY c.id HAVING sum(r.amount_cents) > c.refunded_cents;

-- name: an unmatched payment is flagged exactly until all of it is decided
-- examines: processor_captures WHERE num_nonnulls(remittance_id, invoice_id, donation_id) = 0
WITH decided AS (
  SELECT organization_id, capture_id, bool_or(status = 'pending') AS pending, bool_or(resolution = 'keep_as_credit') AS kept
    FROM capture_resolutions GROUP BY 1, 2)
SELECT c.organization_id, c.id AS capture_id, c.disposition, c.amount_cents, c.refunded_cents, d.pending, d.kept
  FROM processor_captures c
  LEFT JOIN decided d ON (d.organization_id, d.capture_id) = (c.organization_id, c.id)
 WHERE num_nonnulls(c.remittance_id, c.invoice_id, c.donation_id) = 0
   AND (c.disposition = 'flagged') <> (coalesce(d.pending, false) OR (c.refunded_cents < c.amount_cents AND NOT coalesce(d.kept, false)));

-- name: after a failed refund only an answer of the provider changes the refunded amount of a charge
-- examines: capture_resolutions WHERE status = 'failed'
WITH latest AS (
  SELECT DISTINCT ON (organization_id, capture_id) * FROM capture_resolutions ORDER BY organization_id, capture_id, id DESC)
SELECT c.organization_id, c.id AS capture_id, c.amount_cents, c.refunded_cents, c.refunds_read_at, r.finished_at
  FROM latest r
  JOIN processor_captures c ON c.organization_id = r.organization_id AND c.id = r.capture_id
 WHERE r.status = 'failed' AND c.disposition = 'resolved' AND c.donation_id IS NULL AND coalesce(c.refunds_read_at < r.finished_at, true)
   -- Charges that paid invoices are not checked, because flagged money of a remittance may have been allocated to
   -- invoices in the meantime.
   AND NOT EXISTS (SELECT FROM payment_records p WHERE (p.organization_id, p.processor_id, p.intent_id) = (c.organization_id, c.processor_id, c.intent_id));

-- name: the refunded amount of a charge is deducted from what it paid
-- examines: processor_captures
-- uncredited money is refunded first, except for our own refunds of payments
WITH paid AS (
  SELECT organization_id, processor_id, intent_id, sum(amount_cents) AS cents, sum(refunded_cents) AS refunded
    FROM payment_records WHERE status = 'succeeded' AND intent_id IS NOT NULL GROUP BY 1, 2, 3),
own AS (
  SELECT organization_id, capture_id, sum(amount_cents) AS cents FROM refunds WHERE status = 'succeeded' GROUP BY 1, 2),
waiting AS (
  -- If a charge for several invoices was refunded outside of the platform, the refund is in an open case until an
  -- administrator allocates it.
  SELECT organization_id, capture_id, sum(amount_cents) AS cents FROM money_cases WHERE status = 'open' GROUP BY 1, 2)
SELECT c.organization_id, c.id AS capture_id, c.amount_cents, c.refunded_cents, paid.cents AS credited_cents,
       paid.refunded AS payments_refunded_cents, own.cents AS own_refunds_cents, waiting.cents AS waiting_cents
  FROM processor_captures c
  JOIN paid ON (paid.organization_id, paid.processor_id, paid.intent_id) = (c.organization_id, c.processor_id, c.intent_id)
  LEFT JOIN own ON (own.organization_id, own.capture_id) = (c.organization_id, c.id)
  LEFT JOIN waiting ON (waiting.organization_id, waiting.capture_id) = (c.organization_id, c.id)
 WHERE paid.refunded + coalesce(waiting.cents, 0) <> coalesce(own.cents, 0)
         + greatest(0, c.refunded_cents - coalesce(own.cents, 0) - greatest(0, c.amount_cents - paid.cents))
    OR own.cents > c.refunded_cents;

-- name: the refunded amount of a charge's payment splits into our refunds and those of others
-- examines: payment_records WHERE status = 'succeeded' AND intent_id IS NOT NULL
WITH own AS (
  SELECT organization_id, payment_record_id, sum(amount_cents) AS cents FROM refunds WHERE status = 'succeeded' GROUP BY 1, 2)
SELECT p.organization_id, p.id AS payment_id, p.amount_cents, p.refunded_cents, p.refunded_by_others_cents, own.cents AS own_cents
  FROM payment_records p LEFT JOIN own ON (own.organization_id, own.payment_record_id) = (p.organization_id, p.id)
 WHERE p.status = 'succeeded' AND p.intent_id IS NOT NULL AND p.refunded_cents <> p.refunded_by_others_cents + coalesce(own.cents, 0);

-- name: an open case is about a charge that paid several invoices, or that is disputed
-- examines: money_cases WHERE status = 'open'
SELECT k.organization_id, k.id AS case_id, k.capture_id, k.kind, k.amount_cents, c.amount_cents AS captured_cents, c.refunded_cents
  FROM money_cases k JOIN processor_captures c ON (c.organization_id, c.id) = (k.organization_id, k.capture_id)
 WHERE k.status = 'open' AND (k.gateway_object <> c.intent_id OR k.amount_cents > c.refunded_cents OR c.disputed_cents = 0 AND 2 > (
   SELECT count(*) FROM payment_records p WHERE p.status = 'succeeded'
      AND (p.organization_id, p.processor_id, p.intent_id) = (c.organization_id, c.processor_id, c.intent_id)));

-- name: every flagged charge of a remittance has its case, and no other charge has one
-- examines: processor_captures WHERE remittance_id IS NOT NULL
WITH waiting AS (
  SELECT c.organization_id, c.processor_id, c.intent_id, c.remittance_id, CASE c.disposition WHEN 'flagged' THEN greatest(0, c.amount_cents - c.refunded_cents
         - coalesce((SELECT sum(p.amount_cents) FROM payment_records p WHERE p.organization_id = c.organization_id AND p.processor_id = c.processor_id
              AND p.intent_id = c.intent_id AND p.status = 'succeeded'), 0)
         + coalesce((SELECT sum(o.amount_cents) FROM refunds o WHERE o.organization_id = c.organization_id
            AND o.capture_id = c.id AND o.status = 'succeeded'), 0)) ELSE 0 END AS cents
    FROM processor_captures c WHERE c.remittance_id IS NOT NULL),
cases AS (SELECT * FROM money_cases WHERE kind = 'remittance_flagged' AND status = 'open')
SELECT coalesce(w.organization_id, k.organization_id) AS organization_id, w.remittance_id, w.intent_id, w.cents AS waiting_cents,
       k.id AS case_id, k.amount_cents
  FROM waiting w FULL JOIN cases k ON (k.organization_id, k.processor_id, k.gateway_object) = (w.organization_id, w.processor_id, w.intent_id)
 WHERE coalesce(w.cents, 0) <> coalesce(k.amount_cents, 0) OR k.remittance_id <> w.remittance_id;

-- name: every case about a refund or credit has its object
-- examines: money_cases WHERE status = 'open'
-- a case about a manual refund has the amount of the remaining credit
SELECT k.organization_id, k.id AS case_id, k.kind, k.gateway_object, k.amount_cents, r.status AS refund_status, s.status AS settlement_status
  FROM money_cases k
  LEFT JOIN refunds r ON (r.organization_id, r.id) = (k.organization_id, k.refund_id)
  LEFT JOIN terminal_settlements s ON (s.organization_id, s.id) = (k.organization_id, k.settlement_id)
 WHERE k.status = 'open' AND ((k.kind = 'refund_bounced' AND (r.status IS DISTINCT FROM 'failed' OR k.amount_cents <> r.amount_cents))
    OR (k.kind = 'manual_refund_due' AND (s.status IS DISTINCT FROM 'kept' OR k.amount_cents <> (
      SELECT coalesce(sum(CASE coalesce(o.kind, c.kind) WHEN 'issued' THEN 1 WHEN 'moved_in' THEN 1 WHEN 'shortfall' THEN 0 ELSE -1 END
             * CASE WHEN c.kind = 'reversed' THEN -1 ELSE 1 END * c.amount_cents), 0)
        FROM chapter_account_credits c LEFT JOIN chapter_account_credits o ON o.id = c.reverses
       WHERE (c.organization_id, c.chapter_id, c.membership_id) = (s.organization_id, s.chapter_id, s.membership_id)))));

-- name: every case about a difference has its charge
-- examines: money_cases WHERE kind IN ('captured_not_recorded', 'recorded_not_captured', 'amount_differs', 'other')
-- charges that the provider no longer lists are known only from our books
SELECT k.organization_id, k.id AS case_id, k.kind, k.gateway_object, k.recorded_cents, k.reported_cents, k.amount_cents, c.id AS capture_id
  FROM money_cases k
  LEFT JOIN processor_captures c ON (c.organization_id, c.processor_id, c.intent_id) = (k.organization_id, k.processor_id, k.gateway_object)
 WHERE CASE k.kind
         WHEN 'captured_not_recorded' THEN NOT EXISTS (SELECT FROM gateway_movements m WHERE (m.organization_id, m.intent_id) = (k.organization_id, k.gateway_object))
         WHEN 'other' THEN NOT EXISTS (SELECT FROM gateway_movements m
                WHERE (m.organization_id, m.intent_id) = (k.organization_id, k.gateway_object) AND m.kind = 'other')
         WHEN 'recorded_not_captured' THEN c.id IS NULL
         WHEN 'amount_differs' THEN c.id IS NULL ELSE false END;

-- name: the withdrawn, reinstated and fee amounts of a dispute are the sums of its movements
-- examines: payment_disputes
WITH moved AS (
  SELECT organization_id, dispute_id, sum(amount_cents) FILTER (WHERE kind = 'withdrawn') AS withdrawn,
         sum(amount_cents) FILTER (WHERE kind = 'reinstated') AS reinstated, sum(amount_cents) FILTER (WHERE kind = 'fee') AS fee
    FROM payment_dispute_movements GROUP BY 1, 2),
held AS (
  SELECT d.organization_id, d.capture_id, sum(greatest(0, coalesce(m.withdrawn, 0) - coalesce(m.reinstated, 0))) AS cents
    FROM payment_disputes d LEFT JOIN moved m ON (m.organization_id, m.dispute_id) = (d.organization_id, d.id) GROUP BY 1, 2)
SELECT d.organization_id, d.id AS dispute_id, d.withdrawn_cents, m.withdrawn AS withdrawn_by_movements_cents, d.reinstated_cents,
       m.reinstated AS reinstated_by_movements_cents, d.fee_cents, c.withdrawn_cents AS held_cents, held.cents AS held_by_movements_cents
  FROM payment_disputes d
  JOIN processor_captures c ON (c.organization_id, c.id) = (d.organization_id, d.capture_id)
  JOIN held ON (held.organization_id, held.capture_id) = (d.organization_id, d.capture_id)
  LEFT JOIN moved m ON (m.organization_id, m.dispute_id) = (d.organization_id, d.id)
 WHERE (d.withdrawn_cents, d.reinstated_cents, d.fee_cents, c.withdrawn_cents)
    <> (coalesce(m.withdrawn, 0), coalesce(m.reinstated, 0), coalesce(m.fee, 0), held.cents);

-- name: the disputed amount of a charge is what its disputes withhold, limited by what was not refunded
-- examines: processor_captures
SELECT organization_id, id AS capture_id, amount_cents, refunded_cents, disputed_cents, withdrawn_cents FROM processor_captures
 WHERE disputed_cents <> least(withdrawn_cents, amount_cents - (refunded_cents - disputed_cents)) OR disputed_cents > refunded_cents;

-- name: a succeeded refund is deducted from its own payment
-- examines: refunds WHERE status = 'succeeded'
SELECT p.organization_id, p.id AS payment_id, p.amount_cents, p.refunded_cents, sum(r.amount_cents) AS refunds_cents
  FROM refunds r
  JOIN payment_records p ON (p.organization_id, p.id) = (r.organization_id, r.payment_record_id)
 WHERE r.status = 'succeeded' GROUP BY p.id
HAVING sum(r.amount_cents) > p.refunded_cents OR bool_or(r.invoice_id <> p.invoice_id);

-- name: amounts reserved for refunds are available
-- examines: refunds WHERE finished_at IS NULL
-- if somebody has refunded the same money at the provider itself, our refund may be listed here for up to an hour, until it ends as failed
WITH live AS (
  SELECT organization_id, capture_id, sum(amount_cents) AS cents FROM refunds
   WHERE finished_at IS NULL AND created_at < now() - interval '1 hour' GROUP BY 1, 2)
SELECT c.organization_id, c.id AS capture_id, c.amount_cents, c.refunded_cents, live.cents AS reserved_cents
  FROM live JOIN processor_captures c ON (c.organization_id, c.id) = (live.organization_id, live.capture_id)
 WHERE live.cents + c.refunded_cents > c.amount_cents;

-- name: an invoice has at most one pending plan request and one active plan, and a balance for them
-- examines: payment_plans
SELECT p.organization_id, p.invoice_id, p.id AS plan_id, i.status, i.balance_due_cents
  FROM payment_plans p JOIN chapter_invoices i ON (i.organization_id, i.id) = (p.organization_id, p.invoice_id)
 WHERE p.status = 'active' AND (i.balance_due_cents = 0 OR i.membership_id IS DISTINCT FROM p.membership_id OR EXISTS (
   SELECT FROM payment_plans o WHERE (o.organization_id, o.invoice_id) = (p.organization_id, p.invoice_id) AND o.status = 'active' AND o.id <> p.id))
UNION ALL
SELECT r.organization_id, r.invoice_id, r.id, i.status, i.balance_due_cents
  FROM payment_plan_requests r JOIN chapter_invoices i ON (i.organization_id, i.id) = (r.organization_id, r.invoice_id)
 WHERE r.status = 'pending' AND (i.balance_due_cents = 0 OR EXISTS (
   SELECT FROM payment_plan_requests o WHERE (o.organization_id, o.invoice_id) = (r.organization_id, r.invoice_id) AND o.status = 'pending' AND o.id <> r.id));

-- name: the installments of a plan add up to its total, with rising dates
-- examines: payment_plans
SELECT p.organization_id, p.id AS plan_id, p.total_cents, sum(w.amount_cents) AS rows_cents
  FROM payment_plans p LEFT JOIN payment_plan_installments w ON (w.organization_id, w.plan_id) = (p.organization_id, p.id)
 GROUP BY p.id
HAVING sum(w.amount_cents) IS DISTINCT FROM p.total_cents OR EXISTS (
  SELECT FROM payment_plan_installments a JOIN payment_plan_installments b ON b.plan_id = a.plan_id AND b.sequence > a.sequence
   WHERE a.organization_id = p.organization_id AND a.plan_id = p.id AND b.due_date <= a.due_date);

-- name: an invoice with a plan is due with its first unmet installment
-- examines: payment_plans WHERE status = 'active'
WITH due AS (
  SELECT p.id, coalesce(min(w.due_date) FILTER (WHERE w.reconciled_at IS NULL AND w.up_to > p.total_cents - i.balance_due_cents
             + greatest(0, i.total_cents - i.discount_cents - p.billed_cents) AND w.up_to > 0), max(w.due_date)) AS on_day
    FROM payment_plans p JOIN chapter_invoices i ON (i.organization_id, i.id) = (p.organization_id, p.invoice_id)
    JOIN (SELECT organization_id, plan_id, due_date, reconciled_at, sum(amount_cents) OVER (PARTITION BY plan_id ORDER BY sequence) AS up_to
            FROM payment_plan_installments) w ON (w.organization_id, w.plan_id) = (p.organization_id, p.id)
   WHERE p.status = 'active' GROUP BY p.id)
SELECT p.organization_id, p.id AS plan_id, p.invoice_id, i.due_date, due.on_day, i.balance_due_cents AS balance_cents
  FROM due JOIN payment_plans p ON p.id = due.id JOIN chapter_invoices i ON (i.organization_id, i.id) = (p.organization_id, p.invoice_id)
 WHERE i.due_date <> due.on_day;

-- name: a payment through a processor has its capture
-- examines: payment_records WHERE status = 'succeeded' AND intent_id IS NOT NULL
SELECT p.organization_id, p.id AS payment_id, p.intent_id, p.amount_cents
  FROM payment_records p
 WHERE p.status = 'succeeded' AND p.intent_id IS NOT NULL
   AND NOT EXISTS (SELECT 1 FROM processor_captures c
                    WHERE (c.organization_id, c.processor_id, c.intent_id) = (p.organization_id, p.processor_id, p.intent_id));

-- name: an attempt that captured money has its capture
-- examines: payment_attempts WHERE status IN ('succeeded', 'flagged')
SELECT t.organization_id, t.id AS attempt_id, t.status, t.intent_id, t.amount_cents, c.amount_cents AS captured_cents
  FROM payment_attempts t
  LEFT JOIN processor_captures c ON (c.organization_id, c.processor_id, c.intent_id) = (t.organization_id, t.processor_id, t.intent_id)
 WHERE t.status IN ('succeeded', 'flagged')
   AND (c.id IS NULL OR (t.status = 'succeeded' AND t.remittance_id IS NOT NULL AND c.amount_cents <> t.amount_cents));

-- name: only pending attempts reserve invoices, and each reserves all unpaid invoices of its remittance
-- examines: payment_attempts WHERE status = 'pending' AND remittance_id IS NOT NULL
SELECT a.organization_id, a.remittance_id, a.invoice_id, a.reserved_by_attempt_id AS attempt_id, t.status, a.amount_cents
  FROM chapter_remittance_allocations a
  JOIN payment_attempts t ON t.organization_id = a.organization_id AND t.id = a.reserved_by_attempt_id
 WHERE t.status <> 'pending' OR t.remittance_id IS DISTINCT FROM a.remittance_id
UNION ALL
SELECT t.organization_id, t.remittance_id, a.invoice_id, t.id, t.status, a.amount_cents
  FROM payment_attempts t
  JOIN chapter_remittance_allocations a ON a.organization_id = t.organization_id AND a.remittance_id = t.remittance_id
 WHERE t.status = 'pending' AND a.payment_record_id IS NULL AND a.reserved_by_attempt_id IS DISTINCT FROM t.id;

-- name: the outcome of the charge of a remittance is known within a day
-- examines: payment_attempts WHERE remittance_id IS NOT NULL
SELECT organization_id, id AS attempt_id, remittance_id, amount_cents, created_at
  FROM payment_attempts WHERE status = 'pending' AND remittance_id IS NOT NULL AND created_at < now() - interval '24 hours';

-- name: the amount of a hosted page is the balance of its invoice, or the page is being closed
-- examines: payment_attempts WHERE invoice_id IS NOT NULL
SELECT t.organization_id, t.id AS attempt_id, t.invoice_id, t.amount_cents, i.balance_due_cents, i.status
  FROM payment_attempts t JOIN chapter_invoices i ON i.organization_id = t.organization_id AND i.id = t.invoice_id
 WHERE t.status = 'pending' AND t.closing_since IS NULL AND t.amount_cents <> i.balance_due_cents;

-- name: an invoice has at most one open hosted page
-- examines: payment_attempts WHERE invoice_id IS NOT NULL
SELECT organization_id, invoice_id, count(*) AS pages, sum(amount_cents) AS amount_cents
  FROM payment_attempts WHERE status = 'pending' AND invoice_id IS NOT NULL
 GROUP BY 1, 2 HAVING count(*) > 1;

-- name: the outcome of a hosted page is known within an hour of its expiry or closing
-- examines: payment_attempts WHERE has_page
-- a bank payment that takes days already has a charge
SELECT organization_id, id AS attempt_id, invoice_id, donation_id, amount_cents, checkout_session_id, closing_since, checkout_expires_at, created_at
  FROM payment_attempts
 WHERE status = 'pending' AND has_page
   AND least(closing_since, CASE WHEN checkout_session_id IS NULL THEN created_at + interval '1 hour' ELSE checkout_expires_at END)
         < now() - CASE WHEN intent_id IS NULL THEN interval '1 hour' ELSE interval '30 days' END;

-- name: the gateway confirms within an hour that no page of an ended attempt can be paid
-- examines: payment_attempts WHERE status <> 'pending' AND checkout_keys > 0
SELECT organization_id, id AS attempt_id, invoice_id, status, checkout_session_id, checkout_keys, checkout_asked_at
  FROM payment_attempts
 WHERE status <> 'pending' AND checkout_keys > 0 AND checkout_closed_at IS NULL
   AND greatest(checkout_expires_at, checkout_asked_at + interval '24 hours', finished_at) < now() - interval '1 hour';

-- name: an event of a processor is applied within an hour
-- examines: webhook_events
SELECT organization_id, id AS webhook_event_id, type, created_at
  FROM webhook_events WHERE processed_at IS NULL AND created_at < now() - interval '1 hour';

-- name: an outbox entry reaches its workflow within an hour
-- examines platform table: outbox
SELECT organization_id, id AS outbox_id, process, workflow_id, attempts, created_at
  FROM outbox WHERE dispatched_at IS NULL AND created_at < now() - interval '1 hour';
