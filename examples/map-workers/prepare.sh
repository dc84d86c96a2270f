#!/bin/sh
# Makes what compose.yaml mounts as secrets: a password for Redis, and the keys that jobs are signed with.
set -eu
cd "$(dirname "$0")"
umask 077
mkdir -p secrets in out script
password=$(od -An -N24 -tx1 /dev/urandom | tr -d ' \n')
sed "s/PASSWORD/$password/" users.acl > secrets/users.acl
echo "redis://sluice:$password@redis:6379" > secrets/queue-url
sluice map-keys secrets/job
# Those in the containers are other users.
chmod 644 secrets/*
