-- What a request with an Idempotency-Key was answered, stored in the transaction that did its work.
create table idempotency_keys (
  key_id integer not null,
  operation text not null,
  key text not null,
  fingerprint blob not null check (length(fingerprint) = 32),
  answer text,
  expires_at integer not null,
  primary key (key_id, operation, key)
) strict, without rowid;

create index idempotency_keys_expiry on idempotency_keys (expires_at);
