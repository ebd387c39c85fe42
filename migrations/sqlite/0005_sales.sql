-- Orders of pets. How many of a pet are there, and how many of those are reserved, is in `pets`. Instants are milliseconds since 1970.
create table orders (
  id integer primary key autoincrement,
  pet_id integer not null,
  quantity integer not null check (quantity between 1 and 1000000),
  status text not null check (status in ('pending', 'shipped', 'delivered', 'cancelled', 'expired')),
  -- The client's own name for it, found exactly as it was sent.
  reference text,
  created_at integer not null,
  ship_date integer,
  -- When its hold ends; null where holds were off when it was placed.
  expires_at integer,
  -- `expires_at` while it is pending, else null: what the job of expired holds looks for.
  due_at integer generated always as (
    case when status = 'pending' then expires_at end
  ) virtual,
  -- What one cost when it was placed; null where the pet had no price.
  unit_price_amount text,
  unit_price_currency text
) strict;

create index orders_status on orders (status, id);
create index orders_pet on orders (pet_id, id);
create index orders_pet_status on orders (pet_id, status, id);
create index orders_due on orders (due_at) where due_at is not null;
create index orders_pet_due on orders (pet_id, due_at) where due_at is not null;

-- Orders without a reference are in none of these.
create index orders_reference on orders (reference, id) where reference is not null;
create index orders_reference_status on orders (reference, status, id) where reference is not null;
create index orders_pet_reference on orders (pet_id, reference, id) where reference is not null;
create index orders_pet_reference_status on orders (pet_id, reference, status, id) where reference is not null;

create index orders_created on orders (created_at, id);
