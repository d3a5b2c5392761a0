-- Memberships by person's name, maintained by triggers, so that a roster is read in index order. Not a column of
-- memberships: renaming a person would lock their memberships in every organization.
CREATE TABLE roster_names (
  -- id of the membership
  id uuid NOT NULL,
  organization_id uuid NOT NULL REFERENCES organizations,
  chapter_id uuid NOT NULL,
  user_id uuid NOT NULL REFERENCES users,
  -- last name first
  name text NOT NULL,
  PRIMARY KEY (organization_id, id),
  -- deferred: when a membership is deleted, the trigger deletes its row here first
  FOREIGN KEY (organization_id, id) REFERENCES memberships (organization_id, id) DEFERRABLE INITIALLY DEFERRED
);
CREATE INDEX roster_names_order ON roster_names (organization_id, chapter_id, name, id);
CREATE INDEX roster_names_user ON roster_names (user_id);
