#!/bin/sh
# The roles and databases of the platform, none of which can look past row level security but the one for backups,
# which can only read. Runs once, on an empty cluster, as the superuser.
set -eu
password() { cat "$1"; }
psql --no-psqlrc -v ON_ERROR_STOP=1 -U postgres -d postgres \
  -v owner_password="$(password "$OWNER_PASSWORD_FILE")" \
  -v runtime_password="$(password "$RUNTIME_PASSWORD_FILE")" \
  -v backup_password="$(password "$BACKUP_PASSWORD_FILE")" \
  -v temporal_password="$(password "$TEMPORAL_PASSWORD_FILE")" <<'SQL'
CREATE ROLE membership_owner LOGIN NOSUPERUSER NOBYPASSRLS PASSWORD :'owner_password';
CREATE ROLE membership_runtime LOGIN NOSUPERUSER NOBYPASSRLS PASSWORD :'runtime_password';
ALTER ROLE membership_runtime SET timezone = 'UTC';
CREATE ROLE membership_backup LOGIN NOSUPERUSER BYPASSRLS PASSWORD :'backup_password';
GRANT pg_read_all_data TO membership_backup;
ALTER ROLE membership_backup SET default_transaction_read_only = on;
CREATE DATABASE membership OWNER membership_owner;
REVOKE CONNECT, TEMPORARY ON DATABASE membership FROM PUBLIC;
GRANT CONNECT ON DATABASE membership TO membership_runtime, membership_backup;

CREATE ROLE temporal LOGIN NOSUPERUSER PASSWORD :'temporal_password';
CREATE DATABASE temporal OWNER temporal;
CREATE DATABASE temporal_visibility OWNER temporal;
SQL
