-- Addresses to which events are sent. Instants are milliseconds since 1970.
create table webhooks (
  id integer primary key autoincrement,
  url text not null,
  -- A JSON array of types of events; null for all.
  types text,
  description text,
  status text not null check (status in ('enabled', 'paused', 'disabled')),
  disabled_reason text check (disabled_reason in ('gone', 'failing')),
  -- In plain text: it signs.
  secret blob not null check (length(secret) = 32),
  -- The secret that a rotation replaced, which signs too until it ends.
  previous_secret blob check (length(previous_secret) = 32),
  previous_secret_ends_at integer,
  created_at integer not null,
  -- The key that created it.
  created_by integer,
  -- It gets the events after this id.
  starts_after integer not null default 0,
  -- Events after this id were not delivered: it was paused or disabled, or its store a copy. Null: none.
  missed_after integer,
  -- Since when no delivery has succeeded, while attempts fail.
  failing_since integer,
  -- How many of its deliveries were deleted before they succeeded, since there were too many.
  pruned integer not null default 0
) strict;

-- The events after `position` up to `until` are sent to a webhook once more.
create table webhook_replays (
  webhook_id integer primary key,
  position integer not null,
  until integer not null
) strict;

-- An event for a webhook.
create table webhook_deliveries (
  id integer primary key autoincrement,
  webhook_id integer not null,
  event_id integer not null,
  event_type text not null,
  status text not null check (status in ('pending', 'succeeded', 'failed')),
  created_at integer not null,
  -- The time of the next attempt.
  due_at integer check ((due_at is null) = (status <> 'pending')),
  -- A JSON array.
  attempts text not null,
  -- While an attempt is made: until when no other process makes one, on the clock of the database.
  leased_until integer
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
