GRANT USAGE ON SCHEMA app, public TO :"runtime";
-- The readiness check reads both tables and compares them with the schema that the running code expects.
GRANT SELECT ON schema_migrations, schema_definitions TO :"runtime";
