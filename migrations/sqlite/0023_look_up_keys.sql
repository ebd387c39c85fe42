-- Keys are looked up by the digest that was sent, which may be that of a replaced one; ended keys are deleted after a year.
create index keys_previous_digest on keys (previous_digest) where previous_digest is not null;
create index keys_ended on keys (coalesce(revoked_at, expires_at));

-- The size of each result, and an index that counts them without reading them.
alter table idempotency_keys add column bytes integer not null default 0;
drop index idempotency_keys_expiry;
create index idempotency_keys_expiry on idempotency_keys (expires_at, key_id, bytes);
