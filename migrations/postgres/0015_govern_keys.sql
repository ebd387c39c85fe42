-- Who made a key; and the key that a rotation replaced, which is accepted until it ends.
alter table keys add column created_by bigint;
alter table keys add column previous_hint text;
alter table keys add column previous_digest bytea check (length(previous_digest) = 32);
alter table keys add column previous_ends_at bigint;

-- A key with every scope there was was issued with defaults.
update keys set scopes = 'default'
where ' ' || scopes || ' ' like '% pets:read %' and ' ' || scopes || ' ' like '% pets:write %'
  and ' ' || scopes || ' ' like '% orders:read %' and ' ' || scopes || ' ' like '% orders:write %'
  and ' ' || scopes || ' ' like '% inventory:read %' and ' ' || scopes || ' ' like '% inventory:write %';

update keys_revision set revision = revision + 1;
