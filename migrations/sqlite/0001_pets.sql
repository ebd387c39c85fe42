create table pets (
  id integer primary key autoincrement,
  name text not null,
  -- The beginning of the name as searches compare it, whatever its case.
  name_key text not null default '',
  category_id integer not null,
  -- What a client last wrote. Only a stated `available` follows the stock.
  stated text check (stated in ('available', 'pending', 'sold')),
  on_hand integer not null default 1 check (on_hand between 0 and 1000000),
  -- The quantities of its open orders. This check makes it impossible to promise more than is there.
  reserved integer not null default 0 check (reserved between 0 and on_hand),
  -- What clients read.
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

create index pets_status on pets (status, id);
create index pets_category on pets (category_id, id);
create index pets_category_status on pets (category_id, status, id);
create index pets_inventory on pets (id) where stated is not null;
create index pets_name on pets (name_key, id);

-- For each word and each 4,096 ids, the pets whose names have had that word: hexadecimal remainders of their ids, three digits each.
-- A job adds pets, each up to `last_id`; copies of a store do not have these rows.
create table pet_words (
  word text not null,
  block integer not null,
  ids text not null,
  primary key (word, block)
) strict, without rowid;

create table pet_words_progress (
  id integer primary key check (id = 1),
  last_id integer not null
) strict;
