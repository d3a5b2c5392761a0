-- Drops social network accounts that the reader of an unlinked address may have linked while the address was linked.
CREATE OR REPLACE FUNCTION app.drop_linked_accounts() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM app.drop_accounts_since(OLD.user_id, OLD.linked_at);
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER user_emails_linked_accounts AFTER DELETE ON user_emails FOR EACH ROW
  WHEN (current_setting('app.unlinking', true) = 'on')
  EXECUTE FUNCTION app.drop_linked_accounts();
