-- Nor must what the reader of an address has linked since, that an organization had linked to the account and that is taken back.
CREATE OR REPLACE FUNCTION app.drop_linked_accounts() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM social_accounts WHERE user_id = OLD.user_id AND created_at >= OLD.linked_at;
  DELETE FROM social_link_flows WHERE user_id = OLD.user_id;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER user_emails_linked_accounts AFTER DELETE ON user_emails FOR EACH ROW
  WHEN (current_setting('app.unlinking', true) = 'on')
  EXECUTE FUNCTION app.drop_linked_accounts();
