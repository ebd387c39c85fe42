import hooks from 'node:async_hooks'

// Node's test runner follows every promise, to tell to which test an uncaught error belongs: that takes a fifth of the processor
// time of tests. Here it does not; an uncaught error is printed, and fails the process.
const { createHook } = hooks
hooks.createHook = (callbacks) => createHook({ ...callbacks, trackPromises: false })

for (const event of ['uncaughtException', 'unhandledRejection']) {
  process.on(event, (error) => {
    console.error(error)
    process.exitCode = 1
  })
}
