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
  revoked_at integer
) strict;

-- One row, which every change that counts for authentication raises.
create table keys_revision (
  id integer primary key check (id = 1),
  revision integer not null
) strict;

insert into keys_revision (id, revision) values (1, 0);
