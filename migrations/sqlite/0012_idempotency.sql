-- The claim of a request with an Idempotency-Key, and its result, stored in the transaction that did its work.
create table idempotency_keys (
  key_id integer not null,
  operation text not null,
  key text not null,
  -- The SHA-256 of the validated input.
  fingerprint blob not null check (length(fingerprint) = 32),
  answer text,
  -- In milliseconds since 1970.
  expires_at integer not null,
  -- The size of the result.
  bytes integer not null default 0,
  primary key (key_id, operation, key)
) strict, without rowid;

-- It also counts results without reading them.
create index idempotency_keys_expiry on idempotency_keys (expires_at, key_id, bytes);
