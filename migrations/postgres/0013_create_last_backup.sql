-- One row: when the contents of the last backup were read, in milliseconds since 1970, and its file.
create table last_backup (
  id bigint primary key check (id = 1),
  made_at bigint not null,
  file text not null
);
