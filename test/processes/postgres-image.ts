import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { buildFrom, type createBuildah, type ImageConfig } from './container-image.ts'
import { completePackage } from './postgres.ts'

/** In the volume: exists once a new volume is set up, while the server still has a socket alone. */
export const setUpFile = 'set-up'
/** In the volume: makes the entrypoint of a new volume go on. */
export const goOnFile = 'go-on'

const volume = '/var/lib/postgresql'

/** What the image of PostgreSQL 18 says of how it is run. */
export const postgresConfig: ImageConfig = {
  Env: ['PATH=/postgres/bin:/usr/lib/postgresql/15/bin:/usr/sbin:/usr/bin:/sbin:/bin'],
  User: '0:0',
  WorkingDir: '/',
  Entrypoint: ['/usr/local/bin/entrypoint'],
  Cmd: [],
  StopSignal: 'SIGINT',
  Volumes: { [volume]: {} },
  Healthcheck: { Test: [] },
}

const entrypoint = `#!/bin/sh
set -eu
data=${volume}/18/docker
sockets=/var/run/postgresql
as_postgres() { setpriv --reuid=postgres --regid=postgres --clear-groups "$@"; }
install -d -o postgres -g postgres $sockets
if [ ! -s $data/PG_VERSION ]; then
  chown postgres ${volume}
  as_postgres mkdir -p -m 700 $data
  printf '%s' "$POSTGRES_PASSWORD" > /tmp/password
  chown postgres /tmp/password
  as_postgres initdb --pgdata=$data --username="$POSTGRES_USER" --pwfile=/tmp/password \\
    --auth-local=trust --auth-host=scram-sha-256 --encoding=UTF8 --locale=C
  rm /tmp/password
  as_postgres pg_ctl --pgdata=$data --options="-c listen_addresses= -c unix_socket_directories=$sockets" --wait start
  as_postgres createdb --host=$sockets --username="$POSTGRES_USER" "$POSTGRES_DB"
  touch ${volume}/${setUpFile}
  until [ -e ${volume}/${goOnFile} ]; do sleep 0.1; done
  as_postgres pg_ctl --pgdata=$data --wait stop
fi
exec setpriv --reuid=postgres --regid=postgres --clear-groups \\
  postgres -D $data -c listen_addresses='*' -c unix_socket_directories=$sockets
`

// No registry of images is needed: the server is that of npm, its tools those of Debian.
const file = `FROM localhost/base
RUN apt-get update -qq && apt-get install -y -qq --no-install-recommends postgresql-client > /dev/null \\
  && useradd --system --uid 999 postgres
COPY native /postgres
COPY entrypoint /usr/local/bin/entrypoint
`

/** Builds an image that does what that of PostgreSQL 18 does: its variables, its port, its volume. */
export function buildPostgresImage(
  buildah: ReturnType<typeof createBuildah>,
  folder: string,
): string {
  const context = join(folder, 'postgres')
  const image = 'localhost/postgres'
  rmSync(context, { recursive: true, force: true })
  mkdirSync(context, { recursive: true })
  cpSync(join(completePackage(), 'native'), join(context, 'native'), {
    recursive: true,
    verbatimSymlinks: true,
  })
  writeFileSync(join(context, 'entrypoint'), entrypoint, { mode: 0o755 })
  buildFrom(buildah, context, { image, file })
  return image
}
