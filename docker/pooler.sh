#!/bin/sh
# pgbouncer in transaction mode, for the runtime role alone: the owner, LISTEN and migrations go past it.
set -eu
umask 077
folder="${POOLER_FOLDER:-/run/pooler}"
role="${POOLER_ROLE:-membership_runtime}"
mkdir -p "$folder"

# A quote in the password is written twice.
password="$(sed 's/"/""/g' "$RUNTIME_PASSWORD_FILE")"
printf '"%s" "%s"\n' "$role" "$password" >"$folder/userlist.txt"

cat >"$folder/pgbouncer.ini" <<INI
[databases]
membership = host=${POSTGRES_HOST:-postgres} port=${POSTGRES_PORT:-5432} dbname=${POSTGRES_DB:-membership}

[pgbouncer]
listen_addr = ${POOLER_LISTEN:-0.0.0.0}
listen_port = ${POOLER_PORT:-6432}
unix_socket_dir =
auth_type = scram-sha-256
auth_file = $folder/userlist.txt
pool_mode = transaction
default_pool_size = ${POOLER_SIZE:-40}
max_client_conn = ${POOLER_CLIENTS:-1000}
; An API keeps up to 48 plans a connection (pgbouncer 1.21 or newer).
max_prepared_statements = 200
; Who waits longer for a connection has given up by then.
query_wait_timeout = 5
; Postgres that was away for a second is not refused for the usual fifteen.
server_login_retry = 1
; An API that died in the middle of a transaction must not keep its locks.
idle_transaction_timeout = 60
stats_users = $role
logfile =
pidfile =
INI
exec pgbouncer "$folder/pgbouncer.ini"
