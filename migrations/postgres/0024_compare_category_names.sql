-- The form of a name in which it must be unique. Null in categories that were stored before beside others whose names look
-- alike, or by an older version. Existing rows are filled by the program.
alter table categories add column canonical_name text collate "C";
create unique index categories_canonical_name on categories (canonical_name);
