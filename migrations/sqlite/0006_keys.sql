-- API keys. Only the SHA-256 of a key is stored. Instants are milliseconds since 1970.
create table keys (
  id integer primary key autoincrement,
  name text not null,
  -- Its prefix and its last characters, by which its owner recognises it.
  hint text not null,
  digest blob not null unique check (length(digest) = 32),
  -- Names with a space between them; `default` stands for those of a key that is issued without any.
  scopes text not null,
  -- Requests per second; null for the limit of the settings.
  rate_limit integer check (rate_limit >= 1),
  created_at integer not null,
  -- The key that created it; null for a command.
  created_by integer,
  expires_at integer,
  last_used_at integer,
  revoked_at integer,
  -- The key that a rotation replaced, which is accepted until it ends.
  previous_hint text,
  previous_digest blob check (length(previous_digest) = 32),
  previous_ends_at integer
) strict;

-- A request is looked up by the digest that it sent, which may be that of a replaced key.
create index keys_previous_digest on keys (previous_digest) where previous_digest is not null;
-- Ended keys are deleted after a year.
create index keys_ended on keys (coalesce(revoked_at, expires_at));

-- One row, which every change that counts for authentication raises.
create table keys_revision (
  id integer primary key check (id = 1),
  revision integer not null
) strict;

insert into keys_revision (id, revision) values (1, 0);
