#!/bin/sh
# The two roles of the platform, neither of which can look past row level security. Runs once, on an empty volume.
set -eu
psql -v ON_ERROR_STOP=1 -U postgres -v owner_password="$OWNER_PASSWORD" -v runtime_password="$RUNTIME_PASSWORD" <<'SQL'
CREATE ROLE membership_owner LOGIN NOSUPERUSER NOBYPASSRLS PASSWORD :'owner_password';
CREATE ROLE membership_runtime LOGIN NOSUPERUSER NOBYPASSRLS PASSWORD :'runtime_password';
CREATE DATABASE membership OWNER membership_owner;
SQL
