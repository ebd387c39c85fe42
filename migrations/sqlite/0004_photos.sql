-- What is known of a pet's photo, under the id of the pet.
create table photos (
  id integer primary key,
  type text not null check (type in ('image/jpeg', 'image/png', 'image/webp')),
  size_bytes integer not null,
  width integer not null,
  height integer not null,
  digest text not null,
  -- In milliseconds since 1970.
  updated_at integer not null
) strict;

-- The files are apart: only the read of a photo loads one.
create table photo_files (
  id integer primary key,
  bytes blob not null
) strict;
