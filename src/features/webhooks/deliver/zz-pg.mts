import { spawn } from 'node:child_process'
import { startPostgres } from '../../../../test/processes/postgres.ts'

const server = await startPostgres()
const address = server.addressOf('postgres')
const child = spawn(process.execPath, ['--test', ...process.argv.slice(2)], {
  env: { ...process.env, TEST_ENGINE: 'postgres', TEST_POSTGRES: address },
  stdio: 'inherit',
})
await new Promise((r) => child.once('exit', r))
await server.stop()
