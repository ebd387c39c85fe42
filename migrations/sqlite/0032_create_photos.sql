-- A photo has the id of its pet. `updated_at` is in milliseconds since 1970.
create table photos (
  id integer primary key,
  type text not null check (type in ('image/jpeg', 'image/png', 'image/webp')),
  size_bytes integer not null,
  width integer not null,
  height integer not null,
  digest text not null,
  updated_at integer not null
) strict;

-- The files are apart, so that nothing reads them but who wants one.
create table photo_files (
  id integer primary key,
  bytes blob not null
) strict;
