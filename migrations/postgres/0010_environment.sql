-- One row: the environment whose data this is. A process of another one refuses to serve it.
create table environment (
  id bigint primary key check (id = 1),
  name text not null check (name in ('production', 'staging'))
);
