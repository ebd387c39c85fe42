-- Instants are milliseconds since 1970. `types` is a JSON array; null, all. A secret stands as it is, since it signs.
create table webhooks (
  id integer primary key autoincrement,
  url text not null,
  types text,
  description text,
  status text not null check (status in ('enabled', 'paused', 'disabled')),
  disabled_reason text check (disabled_reason in ('gone', 'failing')),
  secret blob not null check (length(secret) = 32),
  previous_secret blob check (length(previous_secret) = 32),
  previous_secret_ends_at integer,
  created_at integer not null,
  created_by integer
) strict;

-- How far each webhook has read the log of changes, and the process that sends for it. `lease_ends_at` is on the clock of
-- the database; each process that takes the lease raises `fence`.
create table webhook_queues (
  webhook_id integer primary key,
  position integer not null,
  lease_holder text,
  lease_ends_at integer not null,
  fence integer not null,
  failing_since integer
) strict;

-- An event for a webhook. `due_at` is the time of the next attempt; `attempts` is a JSON array.
create table webhook_deliveries (
  id integer primary key autoincrement,
  webhook_id integer not null,
  event_id integer not null,
  event_type text not null,
  status text not null check (status in ('pending', 'succeeded', 'failed', 'lost')),
  created_at integer not null,
  due_at integer check ((due_at is null) = (status <> 'pending')),
  attempts text not null
) strict;

create unique index webhook_deliveries_event on webhook_deliveries (webhook_id, event_id);
create index webhook_deliveries_webhook on webhook_deliveries (webhook_id, id);
create index webhook_deliveries_status on webhook_deliveries (webhook_id, status, id);
create index webhook_deliveries_due on webhook_deliveries (webhook_id, due_at) where due_at is not null;

-- One row where webhooks are sent. Copies of the store do not have it: they send nothing until somebody resumes that.
create table webhooks_resumed (
  id integer primary key check (id = 1),
  resumed_at integer not null
) strict;
