-- What one cost when the order was placed; null where the pet had no price.
alter table orders add column unit_price_amount text;
alter table orders add column unit_price_currency text;
