#!/bin/sh
# One dump of the platform's database, as the role that reads everything and writes nothing. Prints the file's name.
set -eu
folder="${BACKUP_FOLDER:-/backups}"
PGPASSWORD="$(cat "$BACKUP_PASSWORD_FILE")"
export PGPASSWORD
file="$folder/membership-$(date -u +%Y%m%dT%H%M%SZ).dump"
# Whole, or not there.
pg_dump --host="${POSTGRES_HOST:-postgres}" --port="${POSTGRES_PORT:-5432}" --username="${BACKUP_ROLE:-membership_backup}" \
  --format=custom --file="$file.part" "${POSTGRES_DB:-membership}"
mv "$file.part" "$file"
echo "$file"
