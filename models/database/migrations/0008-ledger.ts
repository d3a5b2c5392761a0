import { isolate } from '../isolation.js';
import type { Migration } from '../migrate.js';

/** Credit, and the one place where a balance is computed. */
export const up: Migration['up'] = async ({ run, runtime }) =>
  run(`
    CREATE TABLE chapter_account_credits (
      id uuid PRIMARY KEY DEFAULT uuidv7(),
      organization_id uuid NOT NULL REFERENCES organizations,
      chapter_id uuid NOT NULL,
      payer_type text NOT NULL CHECK (payer_type IN ('chapter','member')),
      membership_id uuid,
      kind text NOT NULL CHECK (kind IN ('issued','applied','refunded','reversed')),
      amount_cents bigint NOT NULL CHECK (amount_cents > 0),
      invoice_id uuid,
      payment_record_id uuid,
      reverses uuid,
      reason text NOT NULL CHECK (length(reason) BETWEEN 1 AND 500),
      created_by uuid REFERENCES users,
      created_at timestamptz NOT NULL DEFAULT now(),
      CONSTRAINT credit_payer CHECK ((payer_type = 'member') = (membership_id IS NOT NULL)),
      CHECK ((kind = 'reversed') = (reverses IS NOT NULL)),
      CHECK (kind <> 'applied' OR invoice_id IS NOT NULL),
      CONSTRAINT credit_from_payment_names_invoice CHECK (payment_record_id IS NULL OR invoice_id IS NOT NULL),
      UNIQUE (organization_id, id),
      CONSTRAINT credits_reversed_once UNIQUE (organization_id, reverses),
      FOREIGN KEY (organization_id, chapter_id) REFERENCES chapters (organization_id, id),
      FOREIGN KEY (organization_id, chapter_id, membership_id) REFERENCES memberships (organization_id, chapter_id, id),
      FOREIGN KEY (organization_id, invoice_id) REFERENCES chapter_invoices (organization_id, id),
      FOREIGN KEY (organization_id, payment_record_id) REFERENCES payment_records (organization_id, id),
      FOREIGN KEY (organization_id, reverses) REFERENCES chapter_account_credits (organization_id, id)
    );
    CREATE INDEX credits_payer ON chapter_account_credits (organization_id, chapter_id, membership_id, id);
    CREATE INDEX credits_payment ON chapter_account_credits (organization_id, payment_record_id) WHERE payment_record_id IS NOT NULL;
    CREATE INDEX credits_invoice ON chapter_account_credits (organization_id, invoice_id) WHERE invoice_id IS NOT NULL;
    ${isolate('chapter_account_credits', runtime, { appendOnly: true })}

    -- issued - applied - refunded; a reversal undoes the entry that it names
    CREATE FUNCTION app.credit_effect(entry chapter_account_credits) RETURNS bigint LANGUAGE sql STABLE AS $$
      SELECT CASE entry.kind WHEN 'issued' THEN entry.amount_cents
        WHEN 'reversed' THEN (SELECT CASE r.kind WHEN 'issued' THEN -entry.amount_cents ELSE entry.amount_cents END
          FROM chapter_account_credits r WHERE r.organization_id = entry.organization_id AND r.id = entry.reverses)
        ELSE -entry.amount_cents END $$;

    CREATE FUNCTION app.credit_balance(p_chapter uuid, p_membership uuid) RETURNS bigint LANGUAGE sql STABLE AS $$
      SELECT coalesce(sum(app.credit_effect(c)), 0)::bigint FROM chapter_account_credits c
       WHERE c.organization_id = (SELECT app.org_id()) AND c.chapter_id = p_chapter
         AND c.membership_id IS NOT DISTINCT FROM p_membership $$;

    -- Makes two spenders of one payer's credit see one another.
    CREATE FUNCTION app.lock_credit(p_chapter uuid, p_membership uuid) RETURNS void LANGUAGE sql AS $$
      SELECT pg_advisory_xact_lock(hashtextextended(p_chapter::text || coalesce(p_membership::text, ''), 7)) $$;

    CREATE FUNCTION app.keep_credit_covered() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE original chapter_account_credits; available bigint;
    BEGIN
      PERFORM app.lock_credit(NEW.chapter_id, NEW.membership_id);
      IF NEW.kind = 'reversed' THEN
        SELECT * INTO original FROM chapter_account_credits WHERE organization_id = NEW.organization_id AND id = NEW.reverses;
        IF original.kind = 'reversed' OR original.amount_cents <> NEW.amount_cents
           OR original.chapter_id <> NEW.chapter_id OR original.membership_id IS DISTINCT FROM NEW.membership_id THEN
          RAISE EXCEPTION 'a reversal undoes one whole entry of the same payer'
            USING ERRCODE = 'check_violation', CONSTRAINT = 'credit_reversal_matches';
        END IF;
      END IF;
      IF NEW.kind = 'applied' AND NOT EXISTS (SELECT 1 FROM chapter_invoices i WHERE i.organization_id = NEW.organization_id
           AND i.id = NEW.invoice_id AND i.chapter_id = NEW.chapter_id AND i.payer_type = NEW.payer_type
           AND i.membership_id IS NOT DISTINCT FROM NEW.membership_id) THEN
        RAISE EXCEPTION 'credit pays its own payer''s invoices only'
          USING ERRCODE = 'check_violation', CONSTRAINT = 'credit_own_payer';
      END IF;
      SELECT coalesce(sum(app.credit_effect(c)), 0) INTO available FROM chapter_account_credits c
       WHERE c.organization_id = NEW.organization_id AND c.chapter_id = NEW.chapter_id
         AND c.membership_id IS NOT DISTINCT FROM NEW.membership_id;
      IF available + app.credit_effect(NEW) < 0 THEN
        RAISE EXCEPTION 'credit covers no more than it holds' USING ERRCODE = 'check_violation', CONSTRAINT = 'credit_covered';
      END IF;
      RETURN NEW;
    END $$;
    CREATE TRIGGER credits_covered BEFORE INSERT ON chapter_account_credits
      FOR EACH ROW EXECUTE FUNCTION app.keep_credit_covered();

    -- Amounts and status of invoices, from their lines, discounts, payments and credit; never below zero.
    -- Credit entries name the invoice they were applied to, or whose payment they came from: what became
    -- credit (overpaid) pays for something else, so it does not pay for this invoice a second time.
    CREATE FUNCTION app.recompute_invoices(ids uuid[]) RETURNS void LANGUAGE sql AS $$
      UPDATE chapter_invoices i SET
        total_cents = s.total, discount_cents = s.discount, credit_cents = s.credit, paid_cents = s.paid,
        overpaid_cents = s.overpaid, balance_due_cents = s.due,
        status = CASE WHEN i.status = 'void' THEN 'void' WHEN s.due = 0 AND s.total > 0 THEN 'paid'
                      WHEN i.overdue_at IS NOT NULL THEN 'overdue'
                      WHEN s.paid - s.overpaid + s.credit > 0 THEN 'partially_paid' ELSE 'open' END,
        paid_at = CASE WHEN i.status <> 'void' AND s.due = 0 AND s.total > 0 THEN coalesce(i.paid_at, now()) END
      FROM (
        SELECT x.id, x.organization_id, l.total, d.discount, c.credit, c.overpaid, p.paid,
               CASE x.status WHEN 'void' THEN 0
                 ELSE greatest(l.total - d.discount - c.credit - p.paid + c.overpaid, 0) END AS due
          FROM chapter_invoices x
          CROSS JOIN LATERAL (SELECT coalesce(sum(amount_cents), 0)::bigint AS total FROM invoice_line_items
            WHERE organization_id = x.organization_id AND invoice_id = x.id) l
          CROSS JOIN LATERAL (SELECT coalesce(sum(amount_cents), 0)::bigint AS discount FROM invoice_discounts
            WHERE organization_id = x.organization_id AND invoice_id = x.id AND voided_at IS NULL) d
          CROSS JOIN LATERAL (
            SELECT coalesce(-sum(app.credit_effect(e)) FILTER (WHERE root.kind = 'applied'), 0)::bigint AS credit,
                   coalesce(sum(app.credit_effect(e)) FILTER (WHERE root.kind <> 'applied' AND root.payment), 0)::bigint AS overpaid
              FROM chapter_account_credits e
              LEFT JOIN chapter_account_credits o ON o.organization_id = e.organization_id AND o.id = e.reverses
              CROSS JOIN LATERAL (SELECT coalesce(o.kind, e.kind) AS kind,
                coalesce(o.payment_record_id, e.payment_record_id) IS NOT NULL AS payment) root
             WHERE e.organization_id = x.organization_id AND e.invoice_id = x.id) c
          CROSS JOIN LATERAL (SELECT coalesce(sum(amount_cents - refunded_cents), 0)::bigint AS paid FROM payment_records
            WHERE organization_id = x.organization_id AND invoice_id = x.id AND status = 'succeeded') p
         WHERE x.id = ANY(ids)) s
      WHERE i.organization_id = s.organization_id AND i.id = s.id $$;

    CREATE FUNCTION app.recompute_after_change() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      PERFORM app.recompute_invoices((SELECT array_agg(DISTINCT invoice_id) FROM changed WHERE invoice_id IS NOT NULL));
      RETURN NULL;
    END $$;
    CREATE TRIGGER lines_recompute AFTER INSERT ON invoice_line_items
      REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION app.recompute_after_change();
    CREATE TRIGGER discounts_recompute_insert AFTER INSERT ON invoice_discounts
      REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION app.recompute_after_change();
    CREATE TRIGGER discounts_recompute_update AFTER UPDATE ON invoice_discounts
      REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION app.recompute_after_change();
    CREATE TRIGGER payments_recompute_insert AFTER INSERT ON payment_records
      REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION app.recompute_after_change();
    CREATE TRIGGER payments_recompute_update AFTER UPDATE ON payment_records
      REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION app.recompute_after_change();
    CREATE TRIGGER credits_recompute AFTER INSERT ON chapter_account_credits
      REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION app.recompute_after_change();
  `);

export const down: Migration['down'] = async ({ run }) =>
  run(`
    DROP TRIGGER payments_recompute_update ON payment_records;
    DROP TRIGGER payments_recompute_insert ON payment_records;
    DROP TRIGGER discounts_recompute_update ON invoice_discounts;
    DROP TRIGGER discounts_recompute_insert ON invoice_discounts;
    DROP TRIGGER lines_recompute ON invoice_line_items;
    DROP FUNCTION app.credit_balance(uuid, uuid);
    DROP FUNCTION app.credit_effect(chapter_account_credits);
    DROP TABLE chapter_account_credits;
    DROP FUNCTION app.recompute_after_change();
    DROP FUNCTION app.recompute_invoices(uuid[]);
    DROP FUNCTION app.keep_credit_covered();
    DROP FUNCTION app.lock_credit(uuid, uuid);
  `);
