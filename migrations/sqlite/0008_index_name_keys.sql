create index pets_name on pets (name_key, id);
