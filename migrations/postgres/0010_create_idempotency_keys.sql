-- What a request with an Idempotency-Key was answered, stored in the transaction that did its work.
create table idempotency_keys (
  key_id bigint not null,
  operation text not null,
  key text not null,
  fingerprint bytea not null check (length(fingerprint) = 32),
  answer text,
  expires_at bigint not null,
  primary key (key_id, operation, key)
);

create index idempotency_keys_expiry on idempotency_keys (expires_at);
