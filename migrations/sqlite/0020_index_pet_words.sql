-- For each word and each 4,096 ids, the pets whose names have had that word: hexadecimal remainders of their ids, three digits each.
-- The program adds pets behind the service, each up to `last_id`; copies of a store do not have these rows.
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
