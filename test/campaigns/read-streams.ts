/**
 * Opens streams of events: PORT KEY COUNT. Prints `"open"` once each has told its position, and at each line on its input what
 * has come since the last one: events, and how long after their requests they came, in milliseconds.
 */
import { connect } from 'node:net'
import { createInterface } from 'node:readline'
import { quantile } from '../../bench/statistics.ts'

const [port = '', key = '', count = ''] = process.argv.slice(2)
const opened = Promise.withResolvers<void>()
let opening = Number(count)
let events = 0
let latenciesMs: number[] = []

for (let index = 0; index < Number(count); index++) {
  let isOpen = false
  let rest = ''
  const socket = connect({ port: Number(port), host: '127.0.0.1' })
  socket.write(
    `GET /v1/events HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept: text/event-stream\r\nAuthorization: Bearer ${key}\r\n\r\n`,
  )
  socket.setEncoding('latin1').on('data', (chunk: string) => {
    const nowMs = Date.now()
    const blocks = (rest + chunk).split('\n\n')
    rest = blocks.pop() ?? ''
    for (const block of blocks) {
      // The record is a pet, which has no time of its own.
      const at = /"createdAt":"([^"]+)"/.exec(block)?.[1]
      if (at === undefined) continue
      events += 1
      latenciesMs.push(nowMs - Date.parse(at))
    }
    if (isOpen || !chunk.includes('retry:')) return
    isOpen = true
    opening -= 1
    if (opening === 0) opened.resolve()
  })
  socket.on('close', () => {
    console.error('A stream has ended.')
    process.exit(1)
  })
}

await opened.promise
console.log('"open"')
createInterface({ input: process.stdin }).on('line', () => {
  const [p50, p99] = [0.5, 0.99].map((share) => quantile(latenciesMs, share))
  console.log(JSON.stringify({ events, p50, p99 }))
  events = 0
  latenciesMs = []
})
