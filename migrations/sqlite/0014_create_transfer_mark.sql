-- At most one row: the contents of this store have left for another store, or are still arriving from one. Such a store
-- is not served.
create table transfer_mark (
  id integer primary key check (id = 1),
  state text not null check (state in ('left', 'arriving')),
  transfer text not null,
  peer text not null,
  marked_at integer not null
) strict;
