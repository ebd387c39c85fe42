-- What a client last wrote is `stated`; only a stated `available` follows the stock. The check is what
-- makes it impossible to promise more than is there.
drop index pets_status;
drop index pets_category_status;

alter table pets rename column status to stated;
alter table pets add column on_hand bigint not null default 1
  check (on_hand between 0 and 1000000);
update pets set on_hand = 0 where stated = 'sold';
alter table pets add column reserved bigint not null default 0;
-- What open orders hold is there, whatever the animal was stated to be.
update pets
set reserved = held, on_hand = greatest(on_hand, held)
from (
  select pet_id, sum(quantity) as held from orders
  where status in ('pending', 'shipped')
  group by pet_id
) as open_orders
where open_orders.pet_id = pets.id;
alter table pets add check (reserved between 0 and on_hand);
-- `record` is the pet as clients read it: JSON text, in the order of the interface's members. A name has no control
-- characters.
alter table pets
  add column status text generated always as (
    case
      when stated is null or stated <> 'available' then stated
      when on_hand > reserved then 'available'
      when reserved > 0 then 'pending'
      else 'sold'
    end
  ) stored,
  add column record text generated always as (
    '{"id":' || id::text || ',"name":"' || replace(replace(name, '\', '\\'), '"', '\"') ||
    '","categoryId":' || category_id::text ||
    case
      when stated is null then '}'
      when stated <> 'available' then ',"status":"' || stated || '"}'
      when on_hand > reserved then ',"status":"available"}'
      when reserved > 0 then ',"status":"pending"}'
      else ',"status":"sold"}'
    end
  ) stored;

create index pets_status on pets (status, id);
create index pets_category_status on pets (category_id, status, id);
create index pets_inventory on pets (id) where stated is not null;

-- When a hold is due; null as soon as the order is not pending.
alter table orders add column due_at bigint generated always as (
  case when status = 'pending' then expires_at end
) stored;

create index orders_due on orders (due_at) where due_at is not null;
create index orders_pet_due on orders (pet_id, due_at) where due_at is not null;
