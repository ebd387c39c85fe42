-- Instants are milliseconds since 1970. Of a key only its SHA-256 is kept.
create table keys (
  id integer primary key autoincrement,
  name text not null,
  hint text not null,
  digest blob not null unique check (length(digest) = 32),
  scopes text not null,
  created_at integer not null,
  expires_at integer,
  last_used_at integer,
  revoked_at integer,
  revision integer not null
) strict;

create index keys_revision on keys (revision);
