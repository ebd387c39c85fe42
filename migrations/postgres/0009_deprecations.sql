-- Calls of deprecated operations, by key.
create table deprecated_calls (
  -- Days since 1970-01-01, in UTC.
  day bigint not null,
  operation text collate "C" not null,
  key_id bigint not null,
  calls bigint not null check (calls >= 1),
  primary key (day, operation, key_id)
);
