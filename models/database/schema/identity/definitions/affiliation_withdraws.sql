CREATE OR REPLACE FUNCTION app.affiliation_withdraws() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM app.withdraw_given_password(NEW.user_id, NEW.organization_id);
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER affiliations_given_password AFTER INSERT ON affiliations
  FOR EACH ROW EXECUTE FUNCTION app.affiliation_withdraws();
