-- What a client last wrote is `stated`; only a stated `available` follows the stock. The check is what
-- makes it impossible to promise more than is there. Columns that are stored cannot be added to a table, so it is
-- made anew, and goes on giving out ids where it was.
create table pets_with_stock (
  id integer primary key autoincrement,
  name text not null,
  category_id integer not null,
  stated text check (stated in ('available', 'pending', 'sold')),
  on_hand integer not null default 1 check (on_hand between 0 and 1000000),
  reserved integer not null default 0 check (reserved between 0 and on_hand),
  status text generated always as (
    case
      when stated is null or stated <> 'available' then stated
      when on_hand > reserved then 'available'
      when reserved > 0 then 'pending'
      else 'sold'
    end
  ) stored,
  -- The pet as clients read it: JSON text, in the order of the interface's members. A name has no control characters.
  record text generated always as (
    '{"id":' || id || ',"name":"' || replace(replace(name, '\', '\\'), '"', '\"') ||
    '","categoryId":' || category_id ||
    case
      when stated is null then '}'
      when stated <> 'available' then ',"status":"' || stated || '"}'
      when on_hand > reserved then ',"status":"available"}'
      when reserved > 0 then ',"status":"pending"}'
      else ',"status":"sold"}'
    end
  ) stored
) strict;

-- What open orders hold is there, whatever the animal was stated to be.
insert into pets_with_stock (id, name, category_id, stated, on_hand, reserved)
select
  id, name, category_id, status,
  max(held, case when status = 'sold' then 0 else 1 end),
  held
from (
  select
    pets.*,
    coalesce(
      (
        select sum(quantity) from orders
        where orders.pet_id = pets.id and orders.status in ('pending', 'shipped')
      ),
      0
    ) as held
  from pets
);

insert into sqlite_sequence (name, seq)
select 'pets_with_stock', 0 where not exists (select 1 from sqlite_sequence where name = 'pets_with_stock');
update sqlite_sequence
set seq = max(seq, (select coalesce(max(seq), 0) from sqlite_sequence where name = 'pets'))
where name = 'pets_with_stock';

drop table pets;
alter table pets_with_stock rename to pets;

create index pets_status on pets (status, id);
create index pets_category on pets (category_id, id);
create index pets_category_status on pets (category_id, status, id);
create index pets_inventory on pets (id) where stated is not null;

-- When a hold is due; null as soon as the order is not pending.
alter table orders add column due_at integer generated always as (
  case when status = 'pending' then expires_at end
) virtual;

create index orders_due on orders (due_at) where due_at is not null;
create index orders_pet_due on orders (pet_id, due_at) where due_at is not null;
