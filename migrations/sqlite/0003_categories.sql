create table categories (
  id integer primary key autoincrement,
  name text not null,
  -- The beginning of the name as searches compare it, whatever its case.
  name_key text not null unique,
  -- The name without what makes no visible difference. No two may look alike.
  canonical_name text not null unique,
  description text
) strict;
