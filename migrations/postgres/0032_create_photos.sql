-- A photo has the id of its pet. `updated_at` is in milliseconds since 1970.
create table photos (
  id bigint primary key,
  type text collate "C" not null check (type in ('image/jpeg', 'image/png', 'image/webp')),
  size_bytes bigint not null,
  width bigint not null,
  height bigint not null,
  digest text collate "C" not null,
  updated_at bigint not null
);

-- The files are apart, so that nothing reads them but who wants one. They are compressed already.
create table photo_files (
  id bigint primary key,
  bytes bytea not null
);
alter table photo_files alter column bytes set storage external;
