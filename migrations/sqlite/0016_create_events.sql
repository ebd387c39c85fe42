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

-- Events up to `pruned_to` are deleted: who has seen only earlier ones has missed some. `counted` are the others up to
-- `counted_to`.
create table events_feed (
  id integer primary key check (id = 1),
  pruned_to integer not null,
  counted_to integer not null,
  counted integer not null
) strict;

insert into events_feed (id, pruned_to, counted_to, counted) values (1, 0, 0, 0);
