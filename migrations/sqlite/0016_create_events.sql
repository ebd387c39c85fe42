-- The log of all changes. `record` and `record_id` name the record that an event is about.
create table events (
  id integer primary key autoincrement,
  type text not null,
  record text not null,
  record_id integer not null,
  created_at integer not null,
  data text not null,
  previous text,
  actor text not null,
  request_id text
) strict;

create index events_by_record on events (record, record_id);

-- Events up to this id are deleted: who has seen only earlier ones has missed some.
create table events_feed (
  id integer primary key check (id = 1),
  pruned_to integer not null
) strict;

insert into events_feed (id, pruned_to) values (1, 0);
