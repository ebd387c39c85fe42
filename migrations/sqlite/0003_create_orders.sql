create table orders (
  id integer primary key autoincrement,
  pet_id integer not null,
  quantity integer not null check (quantity between 1 and 1000000),
  status text not null check (status in ('pending', 'shipped', 'delivered', 'cancelled', 'expired')),
  reference text,
  created_at integer not null,
  ship_date integer,
  expires_at integer
) strict;

create index orders_status on orders (status, id);
create index orders_pet on orders (pet_id, id);
create index orders_pet_status on orders (pet_id, status, id);
