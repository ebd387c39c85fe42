// The process of a test in which MSW answers fetch: it makes the calls that its parent sends.
import { forces } from './msw-handlers.mjs'

process.on('message', async ({ force, url, init }) => {
  if (force) {
    forces[force]()
    return process.send({})
  }
  try {
    const response = await fetch(url, init)
    process.send({ status: response.status, text: await response.text() })
  } catch (error) {
    process.send({ status: 0, text: String(error) })
  }
})
process.on('disconnect', () => process.exit())
