-- Calls of deprecated operations, by key.
create table deprecated_calls (
  -- Days since 1970-01-01, in UTC.
  day integer not null,
  operation text not null,
  key_id integer not null,
  calls integer not null check (calls >= 1),
  primary key (day, operation, key_id)
) strict, without rowid;
