-- References are found exactly as they were sent: compared by their bytes, which no locale changes. Orders without one are
-- in none of these indexes.
alter table orders alter column reference type text collate "C";

create index orders_reference on orders (reference, id) where reference is not null;
create index orders_reference_status on orders (reference, status, id) where reference is not null;
create index orders_pet_reference on orders (pet_id, reference, id) where reference is not null;
create index orders_pet_reference_status on orders (pet_id, reference, status, id) where reference is not null;
