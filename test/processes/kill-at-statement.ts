import pg from 'pg'

/** Loaded before a service: it kills itself before the statement of webhooks with the number KILL_AT is sent. */
let left = Number(process.env.KILL_AT)
const { query } = pg.Client.prototype
pg.Client.prototype.query = function (this: pg.Client, ...args: unknown[]) {
  const [{ text }] = args as [{ text: string }]
  if (/webhook|fanned_out_to|^commit/.test(text) && --left < 0) process.kill(process.pid, 'SIGKILL')
  return (query as (...args: unknown[]) => unknown).apply(this, args)
} as typeof query
