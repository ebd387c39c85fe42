create table categories (
  id integer primary key autoincrement,
  name text not null,
  name_key text not null unique,
  description text
) strict;
