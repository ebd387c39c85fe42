-- One row that the readiness probe rewrites, to show that the store can commit.
create table readiness (
  id bigint primary key check (id = 1),
  probed_at bigint not null
);

insert into readiness (id, probed_at) values (1, 0);
