-- Calls of deprecated operations. `day` counts from 1970-01-01, in UTC.
create table deprecated_calls (
  day bigint not null,
  operation text collate "C" not null,
  key_id bigint not null,
  calls bigint not null check (calls >= 1),
  primary key (day, operation, key_id)
);
