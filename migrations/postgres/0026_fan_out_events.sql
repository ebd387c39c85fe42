-- The log is the outbox of webhooks: the events up to `fanned_out_to` have become deliveries, and later ones are not deleted.
-- Null while no webhook takes events.
alter table events_feed add column fanned_out_to bigint;

-- A webhook gets the events after `starts_after`. Those after `missed_after` became no deliveries, since it was not enabled or
-- its store a copy. `pruned` of its deliveries were deleted before they succeeded, since there were too many.
alter table webhooks add column starts_after bigint not null default 0;
alter table webhooks add column missed_after bigint;
alter table webhooks add column failing_since bigint;
alter table webhooks add column pruned bigint not null default 0;

-- The events after `position` up to `until` are sent to a webhook once more.
create table webhook_replays (
  webhook_id bigint primary key,
  position bigint not null,
  until bigint not null
);

-- While an attempt is made: until when no other process makes one, on the clock of the database.
alter table webhook_deliveries add column leased_until bigint;
update webhook_deliveries set status = 'failed' where status = 'lost';

-- Before, each webhook had its own position in the log. The furthest one is that of the outbox, and the others are replays.
update webhooks set failing_since = (select failing_since from webhook_queues where webhook_id = webhooks.id);
update events_feed set fanned_out_to = (
  select max(position) from webhook_queues join webhooks on webhooks.id = webhook_id
  where status = 'enabled' and exists (select 1 from webhooks_resumed)
);
insert into webhook_replays (webhook_id, position, until)
select webhook_id, position, fanned_out_to
from webhook_queues join webhooks on webhooks.id = webhook_id cross join events_feed
where status = 'enabled' and position < fanned_out_to;
update webhooks set missed_after = (select position from webhook_queues where webhook_id = webhooks.id)
where status <> 'enabled' or not exists (select 1 from webhooks_resumed);
drop table webhook_queues;
