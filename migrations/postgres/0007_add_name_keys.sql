-- The beginning of a name as searches compare it, whatever its case. Existing rows are filled by the program.
alter table pets add column name_key text collate "C" not null default '';
