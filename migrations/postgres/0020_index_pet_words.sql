-- For each word and each 4,096 ids, the pets whose names have had that word: hexadecimal remainders of their ids, three digits each.
-- The program adds pets behind the service, each up to `last_id`; copies of a store do not have these rows.
create table pet_words (
  word text collate "C" not null,
  block bigint not null,
  ids text collate "C" not null,
  primary key (word, block)
);

create table pet_words_progress (
  id bigint primary key check (id = 1),
  last_id bigint not null
);
