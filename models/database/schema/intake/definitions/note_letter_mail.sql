-- Stores whether the mail of a reference letter was sent, and signals the letter's process if no mail server accepted
-- it. SECURITY DEFINER, because mail is sent without a tenant.
CREATE OR REPLACE FUNCTION app.note_letter_mail() RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  letter record;
BEGIN
  FOR letter IN UPDATE pnm_reference_letters SET mail_outcome = NEW.outcome
    WHERE notice_id = NEW.id AND mail_outcome IS DISTINCT FROM 'sent' RETURNING organization_id, id, status LOOP
    CONTINUE WHEN letter.status <> 'requested' OR NEW.outcome <> 'refused';
    PERFORM app.enqueue('referenceLetter', 'reference-letter/' || letter.id,
                        jsonb_build_object('organizationId', letter.organization_id, 'letterId', letter.id), 'changed');
  END LOOP;
  RETURN NULL;
END $$;
REVOKE ALL ON FUNCTION app.note_letter_mail() FROM PUBLIC;

CREATE OR REPLACE TRIGGER account_notices_of_letters AFTER UPDATE OF outcome ON account_notices FOR EACH ROW
  WHEN (NEW.kind LIKE 'reference\_letter\_%' AND OLD.outcome IS NULL AND NEW.outcome IS NOT NULL)
  EXECUTE FUNCTION app.note_letter_mail();
