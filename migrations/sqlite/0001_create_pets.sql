create table pets (
  id integer primary key autoincrement,
  name text not null,
  category_id integer not null,
  status text check (status in ('available', 'pending', 'sold'))
) strict;

create index pets_status on pets (status, id);
create index pets_category on pets (category_id, id);
create index pets_category_status on pets (category_id, status, id);
