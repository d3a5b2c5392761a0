-- Copies the remaining fields of a crossing (a prospect who became a member) once the member has an account: deletes
-- the fields marked `awaits_account` and starts the crossing process again.
CREATE OR REPLACE FUNCTION app.carry_to_account() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  crossing uuid;
BEGIN
  FOR crossing IN SELECT id FROM crossings WHERE organization_id = NEW.organization_id AND membership_id = NEW.id
      AND reverted_at IS NULL AND carried_at IS NOT NULL LOOP
    DELETE FROM crossing_fields WHERE organization_id = NEW.organization_id AND crossing_id = crossing
      AND fate = 'awaits_account';
    CONTINUE WHEN NOT FOUND;
    UPDATE crossings SET carried_at = NULL, welcomed_at = NULL, cancelled_at = NULL
     WHERE organization_id = NEW.organization_id AND id = crossing;
    PERFORM app.enqueue('cross', 'crossing/' || crossing,
                        jsonb_build_object('organizationId', NEW.organization_id, 'crossingId', crossing));
  END LOOP;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER memberships_carry_to_account AFTER UPDATE OF user_id ON memberships
  FOR EACH ROW WHEN (NEW.user_id <> OLD.user_id) EXECUTE FUNCTION app.carry_to_account();
