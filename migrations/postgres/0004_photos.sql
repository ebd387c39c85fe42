-- What is known of a pet's photo, under the id of the pet.
create table photos (
  id bigint primary key,
  type text collate "C" not null check (type in ('image/jpeg', 'image/png', 'image/webp')),
  size_bytes bigint not null,
  width bigint not null,
  height bigint not null,
  digest text collate "C" not null,
  -- In milliseconds since 1970.
  updated_at bigint not null
);

-- The files are apart: only the read of a photo loads one. They are compressed already.
create table photo_files (
  id bigint primary key,
  bytes bytea not null
);
alter table photo_files alter column bytes set storage external;
