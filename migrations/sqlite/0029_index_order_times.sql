create index orders_created on orders (created_at, id);
