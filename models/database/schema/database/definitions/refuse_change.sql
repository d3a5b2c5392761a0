-- Refuses changes of append-only tables: a correction is a new row.
CREATE OR REPLACE FUNCTION app.refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'rows of % are never changed', TG_TABLE_NAME
    USING ERRCODE = 'restrict_violation', CONSTRAINT = 'immutable';
END $$;
