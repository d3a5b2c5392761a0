#!/bin/sh
# The role by which a replica is fed, and leave for it to connect from the server's own network; it can read no table by a query. Runs
# once, on an empty cluster, as the superuser; where there is one already, by hand, and again changes nothing:
# docker compose exec postgres sh /docker-entrypoint-initdb.d/replication.sh
set -eu
psql --no-psqlrc -v ON_ERROR_STOP=1 -U postgres -d postgres -v password="$(cat "$REPLICATION_PASSWORD_FILE")" <<'SQL'
SELECT 'CREATE ROLE membership_replication LOGIN REPLICATION'
 WHERE NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'membership_replication') \gexec
ALTER ROLE membership_replication PASSWORD :'password';
SQL
entry='host replication membership_replication samenet scram-sha-256'
grep -qxF "$entry" "$PGDATA/pg_hba.conf" || printf '%s\n' "$entry" >>"$PGDATA/pg_hba.conf"
psql --no-psqlrc -U postgres -d postgres -qAtc 'SELECT pg_reload_conf()' >/dev/null
