#!/bin/sh
# Makes the secrets that docker-compose.yml mounts, in docker/secrets; what is there already stays as it is.
# The folder is closed to others. The files in it are readable, because each container reads them as its own user.
set -eu
folder="${1:-$(dirname "$0")/secrets}"
umask 022
mkdir -p "$folder"
chmod 700 "$folder"

secret() { [ -s "$folder/$1" ] || printf '%s\n' "$2" >"$folder/$1"; }
word() { od -An -N24 -tx1 /dev/urandom | tr -d ' \n'; }
key() { head -c 32 /dev/urandom | base64; }
content() { cat "$folder/$1"; }

for name in postgres owner runtime backup replication temporal store; do
  secret "${name}_password" "$(word)"
done
# The name that the store of the compose file knows the platform by.
secret store_key_id membership
runtime="membership_runtime:$(content runtime_password)"
secret database_url "postgres://$runtime@pooler:6432/membership"
secret database_listen_url "postgres://$runtime@postgres:5432/membership"
secret database_read_url "postgres://$runtime@replica:5432/membership"
secret database_owner_url "postgres://membership_owner:$(content owner_password)@postgres:5432/membership"
secret codec_secret "$(word)"
secret jwt_keys "k1:$(word)"
secret data_keys "k1:$(key)"
secret temporal_payload_keys "k1:$(key)"
# The mail catcher of the compose file takes mail in clear text; a real server does not need the option.
secret smtp_url "smtp://mailbox:1025?ignoreTLS=true"
echo "The secrets are in $folder; what was there has stayed as it was."
