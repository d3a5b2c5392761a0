import type { Migration } from '../../schemaFiles.js';

/** SQL: the person whom the values of an entry describe, when its subject names one. */
const PERSON = `coalesce(CASE l.subject_type
    WHEN 'user' THEN (SELECT u.id FROM users u WHERE u.id = l.subject_id)
    WHEN 'membership' THEN (SELECT m.user_id FROM memberships m WHERE m.id = l.subject_id)
    WHEN 'organization_admin' THEN (SELECT a.user_id FROM organization_admins a WHERE a.id = l.subject_id)
    WHEN 'regional_admin' THEN (SELECT a.user_id FROM regional_admins a WHERE a.id = l.subject_id) END,
  CASE WHEN l.subject_type IN ('membership', 'organization_admin', 'regional_admin', 'mail_suppression') THEN
    (SELECT u.id FROM users u WHERE u.id = (coalesce(l.after, l.before) ->> 'user_id')::uuid) END)`;

const WITHOUT_VALUES = (column: string) => `CASE WHEN person_id IS NULL THEN ${column} ELSE (
  SELECT jsonb_object_agg(key, CASE WHEN key ~ '_id$' THEN value ELSE 'null' END) FROM jsonb_each(${column})) END`;

/**
 * Makes admin-set passwords expire; existing ones get the lifetime of a new one. Stores values about people beside the
 * entries of the audit log, so that they can be erased with the person, and erases those of erased people.
 */
export const up: Migration['up'] = ({ run }) =>
  run(`
    ALTER TABLE users ADD COLUMN password_ends_at timestamptz;
    COMMENT ON COLUMN users.password_ends_at IS 'of a password that was handed over: counts while must_change_password';
    UPDATE users SET password_ends_at = now() + interval '72 hours' WHERE must_change_password;

    ALTER TABLE audit_log ADD COLUMN person_id uuid REFERENCES users, ADD COLUMN people smallint NOT NULL DEFAULT 0;
    COMMENT ON COLUMN audit_log.person_id IS 'whose the values of before and after are; they stand in audit_values';
    COMMENT ON COLUMN audit_log.people IS 'of how many people something stood in audit_values when it was written';
    CREATE TABLE audit_values (
      organization_id uuid NOT NULL,
      entry_id uuid NOT NULL,
      user_id uuid NOT NULL REFERENCES users,
      -- of the actor; without an actor, of the person concerned
      ip_address text CHECK (length(ip_address) <= 60),
      -- values about the person
      before jsonb,
      after jsonb,
      PRIMARY KEY (organization_id, entry_id, user_id),
      -- deferred: a trigger writes these rows before the entry
      FOREIGN KEY (organization_id, entry_id) REFERENCES audit_log (organization_id, id) DEFERRABLE INITIALLY DEFERRED
    );
    CREATE INDEX audit_values_person ON audit_values (user_id, organization_id);

    ALTER TABLE audit_log DISABLE TRIGGER USER;
    UPDATE audit_log l SET person_id = ${PERSON} WHERE l.before IS NOT NULL OR l.after IS NOT NULL;
    INSERT INTO audit_values (organization_id, entry_id, user_id, ip_address, before, after)
    SELECT l.organization_id, l.id, who.id, max(who.ip_address), (array_agg(who.before) FILTER (WHERE who.before IS NOT NULL))[1],
           (array_agg(who.after) FILTER (WHERE who.after IS NOT NULL))[1]
      FROM audit_log l CROSS JOIN LATERAL (VALUES
        (coalesce(l.actor_user_id, l.person_id), l.ip_address, NULL::jsonb, NULL::jsonb),
        (l.person_id, NULL, l.before, l.after)) AS who (id, ip_address, before, after)
     WHERE who.id IS NOT NULL AND num_nonnulls(who.ip_address, who.before, who.after) > 0
       AND NOT EXISTS (SELECT FROM account_deletions d WHERE d.user_id = who.id AND d.status = 'erased')
     GROUP BY l.organization_id, l.id, who.id;
    SET CONSTRAINTS ALL IMMEDIATE;
    UPDATE audit_log SET
      people = (SELECT count(DISTINCT who) FROM unnest(ARRAY[
        CASE WHEN ip_address IS NOT NULL THEN coalesce(actor_user_id, person_id) END, person_id]) who WHERE who IS NOT NULL),
      ip_address = CASE WHEN coalesce(actor_user_id, person_id) IS NULL THEN ip_address END,
      before = ${WITHOUT_VALUES('before')}, after = ${WITHOUT_VALUES('after')}
     WHERE person_id IS NOT NULL OR ip_address IS NOT NULL;
    ALTER TABLE audit_log ENABLE TRIGGER USER;
  `);

export const down: Migration['down'] = ({ run }) =>
  run(`
    DROP FUNCTION IF EXISTS app.keep_people_apart() CASCADE;
    ALTER TABLE audit_log DISABLE TRIGGER USER;
    UPDATE audit_log l SET ip_address = coalesce(l.ip_address, said.ip_address),
           before = l.before || coalesce(said.before, '{}'), after = l.after || coalesce(said.after, '{}')
      FROM (SELECT organization_id, entry_id, max(ip_address) AS ip_address,
                   (array_agg(before) FILTER (WHERE before IS NOT NULL))[1] AS before,
                   (array_agg(after) FILTER (WHERE after IS NOT NULL))[1] AS after
              FROM audit_values GROUP BY organization_id, entry_id) said
     WHERE said.organization_id = l.organization_id AND said.entry_id = l.id;
    ALTER TABLE audit_log ENABLE TRIGGER USER;
    DROP TABLE audit_values;
    ALTER TABLE audit_log DROP COLUMN person_id, DROP COLUMN people;
    ALTER TABLE users DROP COLUMN password_ends_at;
  `);
