#!/bin/sh
# Makes the platform's namespace, once; finished processes stay visible for a month.
set -eu
name="${TEMPORAL_NAMESPACE:-default}"
until temporal operator cluster health >/dev/null 2>&1; do sleep 2; done
temporal operator namespace describe -n "$name" >/dev/null 2>&1 ||
  temporal operator namespace create -n "$name" --retention 30d
