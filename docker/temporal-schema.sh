#!/bin/sh
# Brings the schema of Temporal's two databases to this version's; the databases are made by roles.sh.
set -eu
SQL_PASSWORD="$(cat "$TEMPORAL_PASSWORD_FILE")"
export SQL_PASSWORD
schemas="${SCHEMAS:-/etc/temporal/schema/postgresql/v12}"
tool() {
  temporal-sql-tool --plugin postgres12 --ep "${POSTGRES_HOST:-postgres}" -p "${POSTGRES_PORT:-5432}" -u temporal "$@"
}
upgrade() {
  # Makes the table of versions, where there is none yet.
  tool --db "$1" setup-schema -v 0.0
  tool --db "$1" update-schema -d "$schemas/$2/versioned"
}
upgrade temporal temporal
upgrade temporal_visibility visibility
