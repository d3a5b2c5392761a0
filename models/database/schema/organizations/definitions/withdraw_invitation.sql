-- Withdraws the invitation when an unaccepted membership ends, no matter which code ends it.
CREATE OR REPLACE FUNCTION app.withdraw_invitation() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE invitations SET state = 'withdrawn', token_hash = NULL, closed_at = now()
   WHERE organization_id = NEW.organization_id AND membership_id = NEW.id AND state = 'open';
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER memberships_invitation AFTER UPDATE OF status ON memberships FOR EACH ROW
  WHEN (NEW.status IN ('inactive', 'disaffiliated') AND OLD.status IS DISTINCT FROM NEW.status)
  EXECUTE FUNCTION app.withdraw_invitation();
