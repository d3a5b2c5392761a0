#!/bin/sh
# restore.sh <dump>: into the empty database that roles.sh made, all of it or nothing. PGHOST, PGPORT and PGPASSWORD say
# where; the superuser does it, because what is restored belongs to several roles.
set -eu
pg_restore --username=postgres --dbname="${POSTGRES_DB:-membership}" --exit-on-error --single-transaction "$1"
# Plans need statistics, which a dump of this form does not carry for every version.
vacuumdb --username=postgres --analyze-only --quiet "${POSTGRES_DB:-membership}"
