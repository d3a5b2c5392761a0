import type { Migration } from '../migrate.js';

/** The functions that every later table leans on. */
export const up: Migration['up'] = async ({ run, runtime }) =>
  run(`
    CREATE SCHEMA app;
    GRANT USAGE ON SCHEMA app, public TO ${runtime};

    -- nullif: a connection that once had a tenant answers '' afterwards, which is no uuid
    CREATE FUNCTION app.org_id() RETURNS uuid LANGUAGE sql STABLE
      AS $$ SELECT nullif(current_setting('app.organization_id', true), '')::uuid $$;

    CREATE FUNCTION app.touch() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      NEW.updated_at := now();
      IF to_jsonb(NEW) ? 'version' THEN
        NEW := jsonb_populate_record(NEW, jsonb_build_object('version', (to_jsonb(OLD)->>'version')::int + 1));
      END IF;
      RETURN NEW;
    END $$;

    CREATE FUNCTION app.refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      RAISE EXCEPTION 'rows of % are never changed', TG_TABLE_NAME USING ERRCODE = 'restrict_violation', CONSTRAINT = 'immutable';
    END $$;
  `);

export const down: Migration['down'] = async ({ run }) => run('DROP SCHEMA app CASCADE');
