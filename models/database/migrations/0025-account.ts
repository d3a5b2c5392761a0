import type { Migration } from '../migrate.js';
import { recompute } from './0011-indexes.js';

/**
 * No debt vanishes: a payment backs the credit that came from it only as long as it stands, and what can be taken back
 * from nowhere is a shortfall by name.
 */
export const up: Migration['up'] = async ({ run }) =>
  run(`
    ${kinds(`'issued','applied','refunded','reversed','shortfall','recovered'`)}
    -- a shortfall is of a payment that was given back; what later covers it is any credit of the same payer
    ALTER TABLE chapter_account_credits
      ADD CONSTRAINT credit_shortfall_names_payment CHECK (kind <> 'shortfall' OR payment_record_id IS NOT NULL),
      ADD CONSTRAINT credit_recovery_is_any_credit CHECK (kind <> 'recovered' OR num_nonnulls(payment_record_id, invoice_id) = 0);
    CREATE INDEX credits_shortfalls ON chapter_account_credits (organization_id, chapter_id, membership_id)
      WHERE kind IN ('shortfall','recovered');

    ${effect(`WHEN 'shortfall' THEN 0`)}

    -- What is credit of the money that a payment brought: issued, less what was taken back and what could not be.
    CREATE FUNCTION app.credit_of_payment(p_organization uuid, p_payment uuid) RETURNS bigint LANGUAGE sql STABLE AS $$
      SELECT coalesce(sum(CASE c.kind WHEN 'shortfall' THEN -c.amount_cents ELSE app.credit_effect(c) END), 0)::bigint
        FROM chapter_account_credits c WHERE c.organization_id = p_organization AND c.payment_record_id = p_payment $$;

    -- What a payer is short of, in cents: credit that was spent for good and whose payment was given back.
    CREATE FUNCTION app.credit_shortfall(p_organization uuid, p_chapter uuid, p_membership uuid) RETURNS bigint LANGUAGE sql STABLE AS $$
      SELECT coalesce(sum(CASE c.kind WHEN 'shortfall' THEN c.amount_cents ELSE -c.amount_cents END), 0)::bigint
        FROM chapter_account_credits c
       WHERE c.organization_id = p_organization AND c.chapter_id = p_chapter
         AND c.membership_id IS NOT DISTINCT FROM p_membership AND c.kind IN ('shortfall','recovered') $$;

    CREATE FUNCTION app.keep_credit_backed() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE original chapter_account_credits; payment payment_records; backed bigint;
    BEGIN
      IF NEW.kind = 'reversed' THEN
        SELECT * INTO original FROM chapter_account_credits WHERE organization_id = NEW.organization_id AND id = NEW.reverses;
        IF original.kind IN ('shortfall','recovered') OR original.payment_record_id IS DISTINCT FROM NEW.payment_record_id
           OR original.invoice_id IS DISTINCT FROM NEW.invoice_id THEN
          RAISE EXCEPTION 'a reversal undoes one whole entry, where it stands'
            USING ERRCODE = 'check_violation', CONSTRAINT = 'credit_reversal_matches';
        END IF;
      END IF;
      IF NEW.kind = 'recovered' AND app.credit_shortfall(NEW.organization_id, NEW.chapter_id, NEW.membership_id) < 0 THEN
        RAISE EXCEPTION 'no more is recovered than is short'
          USING ERRCODE = 'check_violation', CONSTRAINT = 'credit_recovery_within_shortfall';
      END IF;
      IF NEW.payment_record_id IS NULL THEN RETURN NULL; END IF;
      SELECT p.* INTO payment FROM payment_records p
        JOIN chapter_invoices i ON i.organization_id = p.organization_id AND i.id = p.invoice_id
       WHERE p.organization_id = NEW.organization_id AND p.id = NEW.payment_record_id AND p.invoice_id = NEW.invoice_id
         AND p.status = 'succeeded' AND i.chapter_id = NEW.chapter_id AND i.membership_id IS NOT DISTINCT FROM NEW.membership_id;
      backed := app.credit_of_payment(NEW.organization_id, NEW.payment_record_id);
      IF payment.id IS NULL OR backed < 0 OR backed > payment.amount_cents - payment.refunded_cents THEN
        RAISE EXCEPTION 'a payment backs credit of its own payer, and no more than is left of it'
          USING ERRCODE = 'check_violation', CONSTRAINT = 'credit_backed';
      END IF;
      RETURN NULL;
    END $$;
    CREATE TRIGGER credits_backed AFTER INSERT ON chapter_account_credits
      FOR EACH ROW WHEN (NEW.kind IN ('reversed','recovered') OR NEW.payment_record_id IS NOT NULL)
      EXECUTE FUNCTION app.keep_credit_backed();

    -- Money is given back only after the credit that it backed was taken.
    CREATE FUNCTION app.keep_payment_backing() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE backed bigint := app.credit_of_payment(NEW.organization_id, NEW.id);
    BEGIN
      IF backed > 0 AND backed > NEW.amount_cents - NEW.refunded_cents THEN
        RAISE EXCEPTION 'credit still leans on what is given back of payment %', NEW.id
          USING ERRCODE = 'check_violation', CONSTRAINT = 'credit_backed';
      END IF;
      RETURN NULL;
    END $$;
    CREATE TRIGGER payment_records_backing AFTER UPDATE OF amount_cents, refunded_cents, status ON payment_records
      FOR EACH ROW EXECUTE FUNCTION app.keep_payment_backing();

    ${recompute({ overpaid: `CASE e.kind WHEN 'shortfall' THEN -e.amount_cents ELSE app.credit_effect(e) END` })}

    -- Money and credit stand on an invoice within its total, and on a void one not at all, when a transaction ends.
    CREATE FUNCTION app.keep_money_within_total() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF EXISTS (SELECT 1 FROM chapter_invoices i WHERE i.organization_id = NEW.organization_id AND i.id = NEW.id
           AND (i.paid_cents < i.overpaid_cents
             OR i.paid_cents - i.overpaid_cents + i.credit_cents > CASE i.status WHEN 'void' THEN 0 ELSE i.total_cents END)) THEN
        RAISE EXCEPTION 'what is paid on invoice % goes beyond it', NEW.id
          USING ERRCODE = 'check_violation', CONSTRAINT = 'invoice_money_within_total';
      END IF;
      RETURN NULL;
    END $$;
    CREATE CONSTRAINT TRIGGER invoices_money_within_total AFTER INSERT OR UPDATE ON chapter_invoices
      DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
      WHEN (NEW.paid_cents < NEW.overpaid_cents
        OR NEW.paid_cents - NEW.overpaid_cents + NEW.credit_cents > CASE NEW.status WHEN 'void' THEN 0 ELSE NEW.total_cents END)
      EXECUTE FUNCTION app.keep_money_within_total();
  `);

/** Entries of the kinds that go cannot stay: with them the account would not add up any more. */
export const down: Migration['down'] = async ({ run }) =>
  run(`
    DROP TRIGGER invoices_money_within_total ON chapter_invoices;
    DROP FUNCTION app.keep_money_within_total();
    ${recompute({})}
    DROP TRIGGER payment_records_backing ON payment_records;
    DROP FUNCTION app.keep_payment_backing();
    DROP TRIGGER credits_backed ON chapter_account_credits;
    DROP FUNCTION app.keep_credit_backed();
    DROP FUNCTION app.credit_shortfall(uuid, uuid, uuid);
    DROP FUNCTION app.credit_of_payment(uuid, uuid);
    ${effect('')}
    DROP INDEX credits_shortfalls;
    ALTER TABLE chapter_account_credits DROP CONSTRAINT credit_recovery_is_any_credit, DROP CONSTRAINT credit_shortfall_names_payment;
    ${kinds(`'issued','applied','refunded','reversed'`)}
  `);

const kinds = (list: string): string => `
    ALTER TABLE chapter_account_credits
      DROP CONSTRAINT chapter_account_credits_kind_check,
      ADD CONSTRAINT chapter_account_credits_kind_check CHECK (kind IN (${list}));`;

/** As in 0008. */
const effect = (withoutEffect: string): string => `
    CREATE OR REPLACE FUNCTION app.credit_effect(entry chapter_account_credits) RETURNS bigint LANGUAGE sql STABLE AS $$
      SELECT CASE entry.kind WHEN 'issued' THEN entry.amount_cents ${withoutEffect}
        WHEN 'reversed' THEN (SELECT CASE r.kind WHEN 'issued' THEN -entry.amount_cents ELSE entry.amount_cents END
          FROM chapter_account_credits r WHERE r.organization_id = entry.organization_id AND r.id = entry.reverses)
        ELSE -entry.amount_cents END $$;`;
