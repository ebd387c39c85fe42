-- What the shop tells about a pet, under the id of the pet.
create table details (
  id integer primary key,
  description text,
  -- A decimal text, and an ISO 4217 code.
  price_amount text,
  price_currency text,
  -- A date, such as 2024-02-29.
  born_on text,
  sex text check (sex in ('female', 'male')),
  -- A JSON array.
  tags text,
  check ((price_amount is null) = (price_currency is null))
) strict;

create index details_currency on details (price_currency, id) where price_currency is not null;

-- As `pet_words`: for each tag and each 4,096 ids, the pets that have had it.
create table details_tags (
  word text not null,
  block integer not null,
  ids text not null,
  primary key (word, block)
) strict, without rowid;

create table details_tags_progress (
  id integer primary key check (id = 1),
  last_id integer not null
) strict;
