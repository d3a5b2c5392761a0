-- Memberships by name, which is the person's: this copy is kept by triggers, so that a roster is read in the order of an
-- index. It is no column of memberships: whoever renames a person would lock theirs in every organization.
CREATE TABLE roster_names (
  -- the membership's
  id uuid NOT NULL,
  organization_id uuid NOT NULL REFERENCES organizations,
  chapter_id uuid NOT NULL,
  user_id uuid NOT NULL REFERENCES users,
  -- last name first
  name text NOT NULL,
  PRIMARY KEY (organization_id, id),
  -- looked at last: when a membership goes, the trigger takes its line away
  FOREIGN KEY (organization_id, id) REFERENCES memberships (organization_id, id) DEFERRABLE INITIALLY DEFERRED
);
CREATE INDEX roster_names_order ON roster_names (organization_id, chapter_id, name, id);
CREATE INDEX roster_names_user ON roster_names (user_id);
