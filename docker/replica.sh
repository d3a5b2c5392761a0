#!/bin/sh
# A replica of the primary: copied once while that runs, and fed by it from then on. Arguments are the server's; it must allow for as
# many connections as the primary. One that lacks more than the primary keeps of its log is copied anew when its data is removed.
set -eu
if [ ! -e "$PGDATA/standby.signal" ]; then
  # What lies there without the signal is the rest of a copy that was broken off.
  rm -rf "$PGDATA"
  PGPASSWORD="$(cat "$REPLICATION_PASSWORD_FILE")" pg_basebackup --host="${POSTGRES_HOST:-postgres}" \
    --port="${POSTGRES_PORT:-5432}" --username=membership_replication --no-password --checkpoint=fast --wal-method=stream \
    --write-recovery-conf --pgdata="$PGDATA"
fi
exec postgres "$@"
