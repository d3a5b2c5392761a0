-- Money rows change only in the columns that guards.ts grants to the runtime role, and only by the transitions allowed
-- here. All other values are written once. Manual repairs run as the owner role, to which this trigger does not apply.
CREATE OR REPLACE FUNCTION app.keep_facts() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE broken boolean;
BEGIN
  CASE TG_TABLE_NAME
    -- A remittance is settled once. It can be flagged and resolved repeatedly, each time later than the time before.
    WHEN 'chapter_remittances' THEN broken :=
      (OLD.settled_at IS NOT NULL AND (NEW.settled_at, NEW.processor_payment_id)
        IS DISTINCT FROM (OLD.settled_at, OLD.processor_payment_id))
      -- The total of a remittance changes only while it is flagged, when the flagged money is reallocated to other
      -- invoices.
      OR (NEW.total_cents <> OLD.total_cents AND (OLD.reconciliation_flagged_at IS NULL
        OR OLD.resolved_at >= OLD.reconciliation_flagged_at))
      OR (OLD.reconciliation_flagged_at IS NOT NULL AND (NEW.reconciliation_flagged_at IS NULL
        OR NEW.reconciliation_flagged_at < OLD.reconciliation_flagged_at))
      OR (OLD.resolved_at IS NOT NULL AND (NEW.resolved_at IS NULL OR NEW.resolved_at < OLD.resolved_at));
    -- An allocation can be reserved and released repeatedly, but paid only once.
    WHEN 'chapter_remittance_allocations' THEN
      IF TG_OP = 'DELETE' THEN
        broken := OLD.payment_record_id IS NOT NULL;
      ELSE
        broken := OLD.payment_record_id IS NOT NULL AND (NEW.payment_record_id, NEW.reserved_by_attempt_id)
          IS DISTINCT FROM (OLD.payment_record_id, OLD.reserved_by_attempt_id);
      END IF;
    -- The request of a payment attempt is written once, and its outcome when it becomes known. A status never returns
    -- to pending; succeeded and flagged are final.
    WHEN 'payment_attempts' THEN broken :=
      (NEW.status <> OLD.status AND (NEW.status = 'pending' OR OLD.status IN ('succeeded', 'flagged')))
      OR (OLD.intent_id IS NOT NULL AND NEW.intent_id IS DISTINCT FROM OLD.intent_id)
      OR (OLD.captured_cents IS NOT NULL AND NEW.captured_cents IS DISTINCT FROM OLD.captured_cents);
    WHEN 'chapter_invoices' THEN broken :=
      (OLD.voided_at IS NOT NULL AND (NEW.voided_at, NEW.void_reason) IS DISTINCT FROM (OLD.voided_at, OLD.void_reason))
      OR (OLD.overdue_at IS NOT NULL AND NEW.overdue_at IS DISTINCT FROM OLD.overdue_at);
    WHEN 'invoice_discounts' THEN broken := OLD.voided_at IS NOT NULL;
    -- A refund's status moves forward only: reserved, processing, succeeded, failed. Failed comes last, because a bank
    -- may return a refund that had succeeded.
    WHEN 'refunds' THEN broken :=
      array_position(ARRAY['reserved','processing','succeeded','failed'], NEW.status)
        < array_position(ARRAY['reserved','processing','succeeded','failed'], OLD.status)
      OR (OLD.waiver_id IS NOT NULL AND NEW.waiver_id IS DISTINCT FROM OLD.waiver_id)
      OR (OLD.sent_at IS NOT NULL AND NEW.sent_at IS DISTINCT FROM OLD.sent_at)
      OR (OLD.gateway_refund_id IS NOT NULL AND NEW.gateway_refund_id IS DISTINCT FROM OLD.gateway_refund_id);
    WHEN 'webhook_events' THEN broken := NEW.deliveries < OLD.deliveries OR (OLD.processed_at IS NOT NULL
      AND (NEW.outcome, NEW.processed_at) IS DISTINCT FROM (OLD.outcome, OLD.processed_at));
  END CASE;
  IF broken THEN
    RAISE EXCEPTION 'facts recorded in % % cannot be changed', TG_TABLE_NAME, OLD.id
      USING ERRCODE = 'restrict_violation', CONSTRAINT = 'fact_of_money';
  END IF;
  IF TG_OP = 'DELETE' THEN RETURN OLD; END IF;
  RETURN NEW;
END $$;

CREATE OR REPLACE TRIGGER chapter_invoices_facts BEFORE UPDATE ON chapter_invoices
  FOR EACH ROW WHEN (pg_has_role(current_user, :'runtime', 'MEMBER')) EXECUTE FUNCTION app.keep_facts();
CREATE OR REPLACE TRIGGER chapter_remittance_allocations_facts BEFORE UPDATE OR DELETE ON chapter_remittance_allocations
  FOR EACH ROW WHEN (pg_has_role(current_user, :'runtime', 'MEMBER')) EXECUTE FUNCTION app.keep_facts();
CREATE OR REPLACE TRIGGER chapter_remittances_facts BEFORE UPDATE ON chapter_remittances
  FOR EACH ROW WHEN (pg_has_role(current_user, :'runtime', 'MEMBER')) EXECUTE FUNCTION app.keep_facts();
CREATE OR REPLACE TRIGGER invoice_discounts_facts BEFORE UPDATE ON invoice_discounts
  FOR EACH ROW WHEN (pg_has_role(current_user, :'runtime', 'MEMBER')) EXECUTE FUNCTION app.keep_facts();
CREATE OR REPLACE TRIGGER payment_attempts_facts BEFORE UPDATE ON payment_attempts
  FOR EACH ROW WHEN (pg_has_role(current_user, :'runtime', 'MEMBER')) EXECUTE FUNCTION app.keep_facts();
CREATE OR REPLACE TRIGGER webhook_events_facts BEFORE UPDATE ON webhook_events
  FOR EACH ROW WHEN (pg_has_role(current_user, :'runtime', 'MEMBER')) EXECUTE FUNCTION app.keep_facts();
CREATE OR REPLACE TRIGGER refunds_facts BEFORE UPDATE ON refunds
  FOR EACH ROW WHEN (pg_has_role(current_user, :'runtime', 'MEMBER')) EXECUTE FUNCTION app.keep_facts();
