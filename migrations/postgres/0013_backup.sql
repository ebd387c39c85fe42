-- One row: when the contents of the last backup were read, in milliseconds since 1970, and its file.
create table last_backup (
  id bigint primary key check (id = 1),
  made_at bigint not null,
  file text not null
);

-- At most one row: the contents of this store have left for a backup, or are still arriving from one. Such a store is not served.
create table transfer_mark (
  id bigint primary key check (id = 1),
  state text not null check (state in ('left', 'arriving')),
  -- Names the move.
  transfer text not null,
  -- The file of the backup.
  peer text not null,
  -- In milliseconds since 1970.
  marked_at bigint not null
);
