-- Withdraws unsent mails of a reference letter that is no longer needed or was deleted with its applicant: they would
-- name the applicant.
CREATE OR REPLACE FUNCTION app.end_letter_mail() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM app.withdraw_notices(OLD.id);
  RETURN NULL;
END $$;
CREATE OR REPLACE TRIGGER pnm_reference_letters_end_mail AFTER UPDATE OF status ON pnm_reference_letters
  FOR EACH ROW WHEN (OLD.status = 'requested' AND NEW.status <> 'requested') EXECUTE FUNCTION app.end_letter_mail();
CREATE OR REPLACE TRIGGER pnm_reference_letters_gone_mail AFTER DELETE ON pnm_reference_letters
  FOR EACH ROW WHEN (OLD.status = 'requested') EXECUTE FUNCTION app.end_letter_mail();
