-- Requests per second that a key may send; null for those of the settings.
alter table keys add column rate_limit bigint check (rate_limit >= 1);
