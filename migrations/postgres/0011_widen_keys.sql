-- A key issued with defaults may do everything: those that had all scopes there were get the new ones.
update keys
set scopes = 'pets:read pets:write orders:read orders:write inventory:read inventory:write'
where scopes = 'pets:read pets:write orders:read';

update keys_revision set revision = revision + 1;
