GRANT USAGE ON SCHEMA app, public TO :"runtime";
-- Readiness compares both with the schema of the running code.
GRANT SELECT ON schema_migrations, schema_definitions TO :"runtime";
