-- Withdraws linked addresses when the account gains access outside of the organization that linked them: in another
-- one, or on the platform.
CREATE OR REPLACE FUNCTION app.withdraw_linked_addresses() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  new_row jsonb := to_jsonb(NEW);
BEGIN
  PERFORM app.unlink_address(e.id) FROM user_emails e
    WHERE e.user_id = coalesce(new_row ->> 'user_id', new_row ->> 'id')::uuid AND e.linked_in IS NOT NULL
      AND e.linked_in IS DISTINCT FROM (new_row ->> 'organization_id')::uuid;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER affiliations_linked_addresses AFTER INSERT ON affiliations
  FOR EACH ROW EXECUTE FUNCTION app.withdraw_linked_addresses();
CREATE OR REPLACE TRIGGER users_linked_addresses AFTER UPDATE OF is_platform_admin ON users
  FOR EACH ROW WHEN (NEW.is_platform_admin AND NOT OLD.is_platform_admin)
  EXECUTE FUNCTION app.withdraw_linked_addresses();
