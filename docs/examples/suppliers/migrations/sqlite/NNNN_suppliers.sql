create table suppliers (id integer primary key autoincrement, name text not null) strict;
