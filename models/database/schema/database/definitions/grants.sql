GRANT USAGE ON SCHEMA app, public TO :"runtime";
-- Readiness compares both with what the code comes with.
GRANT SELECT ON schema_migrations, schema_definitions TO :"runtime";
