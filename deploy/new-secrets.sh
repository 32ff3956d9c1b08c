#!/bin/sh
# Writes random passwords for compose.yaml to deploy/secrets. Never changes passwords that exist.
set -eu
cd "$(dirname "$0")"
if [ -e secrets ]; then
  echo "deploy/secrets exists already; change passwords that are in use in the servers first." >&2
  exit 1
fi

secret() { od -An -N24 -tx1 /dev/urandom | tr -d ' \n'; }

database=$(secret)
key=$(secret)
contents=$(secret)
mkdir -m 711 secrets.new
cd secrets.new
printf '%s' "$database" >database_password
printf 'postgresql://sii:%s@database/sii' "$database" >database_url
secret >directory_password
printf 'ROOT_ACCESS_KEY_ID=%s\nROOT_SECRET_ACCESS_KEY=%s\n' "$key" "$contents" >contents-server.env
printf 'FILES_S3_ACCESS_KEY_ID=%s\nFILES_S3_SECRET_ACCESS_KEY=%s\n' "$key" "$contents" >contents-client.env
# The containers' users are not the owner of these files, and must read them.
chmod 644 ./*
cd ..
mv secrets.new secrets
