-- The log of all changes.
create table events (
  id integer primary key autoincrement,
  type text not null,
  -- The kind of the record that was changed, such as `pet`, and its id.
  record text not null,
  record_id integer not null,
  -- In milliseconds since 1970.
  created_at integer not null,
  -- The record as it is now, and the former values of what changed: JSON.
  data text not null,
  previous text,
  -- Who changed it: JSON.
  actor text not null,
  request_id text,
  -- The span in which the change was made, as W3C Trace Context writes it: deliveries of webhooks continue it.
  traceparent text
) strict;

create index events_by_record on events (record, record_id);

-- One row.
create table events_feed (
  id integer primary key check (id = 1),
  -- Events up to this id are deleted: who has seen only earlier ones has missed some.
  pruned_to integer not null,
  -- How many of the others there are up to the id `counted_to`.
  counted_to integer not null,
  counted integer not null,
  -- Events up to this id have become deliveries, and later ones are not deleted. Null while no webhook takes events.
  fanned_out_to integer
) strict;

insert into events_feed (id, pruned_to, counted_to, counted) values (1, 0, 0, 0);
