-- The span in which a change was made, as W3C Trace Context writes it: deliveries of webhooks continue it.
alter table events add column traceparent text;
