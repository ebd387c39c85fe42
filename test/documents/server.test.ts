import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { it } from 'node:test'
import { contract } from '../../src/app/operations.ts'
import { loadConfig } from '../../src/config/config.ts'
import { exitCodes } from '../../src/config/exit-error.ts'
import { contentOf } from '../../src/contract/operation.ts'
import { deadlineOf, instantMs } from '../../src/db/deadline.ts'
import { documents, example } from '../harness/documents.ts'

const blocks = documents().find(({ path }) => path === 'docs/guides/server.md')?.blocks ?? []
const textOf = (language: string, part: string) =>
  blocks.find((block) => block.language === language && block.text.includes(part))?.text ?? ''
const unit = example('server/petstore.service')
const settingOf = (name: string) => new RegExp(`^${name}=(.*)$`, 'm').exec(unit)?.[1] ?? ''

it('docs/guides/server.md: the settings are valid, and keep the store in the folder of the unit', () => {
  const lines = textOf('ini', 'PETSTORE_').trim().split('\n')
  const settings = Object.fromEntries(lines.map((line) => line.split(/=(.*)/)))

  const { config, warnings } = loadConfig({}, settings)

  assert.deepEqual(warnings, [])
  assert.equal(config.publicUrl, 'https://pets.example.com/v1')
  const folder = `/var/lib/${settingOf('StateDirectory')}`
  assert.ok(config.database.name.includes(`${folder}/`), config.database.name)
  assert.equal(settingOf('WorkingDirectory'), folder)
})

it('docs/examples/server/petstore.service restarts the service where that can help, and gives it the time and files that it needs', () => {
  const { addressInUse, ioError, alreadyServed, unexpected, finding, ...final } = exitCodes

  assert.deepEqual(
    settingOf('RestartPreventExitStatus').split(' ').map(Number),
    Object.values(final),
  )
  const { config } = loadConfig({}, {})
  assert.ok(Number(settingOf('TimeoutStopSec')) * 1_000 > config.drainMs + 9_000)
  assert.ok(Number(settingOf('LimitNOFILE')) >= config.connectionsMax + 128)
})

it('each nginx of the guides takes the largest body, and waits for the response that takes longest', () => {
  const sites = ['server/nginx.conf', 'fleet/nginx.conf'].map(example)
  const bodies = contract.flatMap(({ body }) => (body ? [contentOf(body).sizeMaxBytes] : []))
  const longestMs = deadlineOf({ isSnapshot: true }) - instantMs()

  for (const text of sites) {
    const sizeMaxMiB = Number(/client_max_body_size (\d+)m;/.exec(text)?.[1])
    const readMaxSeconds = Number(/proxy_read_timeout (\d+)s;/.exec(text)?.[1])
    assert.ok(sizeMaxMiB * 2 ** 20 > Math.max(...bodies), `${sizeMaxMiB} MiB`)
    assert.ok(readMaxSeconds * 1_000 > longestMs + 10_000, `${readMaxSeconds} s`)
  }
})

it('docs/guides/server.md: a command has the user, the settings and the folder of the unit, and systemd reads them', () => {
  const command = textOf('bash', 'systemd-run')

  for (const option of [
    `--uid=${settingOf('User')} `,
    `--working-directory=${settingOf('WorkingDirectory')} `,
    `--property=EnvironmentFile=${settingOf('EnvironmentFile')} `,
    `--property=UMask=${settingOf('UMask')} `,
    settingOf('ExecStart').replace('serve', '"$@"'),
  ])
    assert.ok(command.includes(option), option)
  for (const { path, blocks } of documents())
    for (const { text } of blocks) assert.doesNotMatch(text, /env \$\(|set -a\b|xargs/, path)
})

it('README.md names the commands that set up a fresh machine, and the CI runs the second one', async () => {
  const [readme, ci, manifest] = ['README.md', '.ci/run', 'package.json'].map((path) =>
    readFileSync(path, 'utf8'),
  )
  const { start, test } = JSON.parse(manifest ?? '').scripts

  for (const command of ['`npm start`', '`npm test`']) assert.ok(readme?.includes(command), command)
  assert.match(String(ci), /^exec npm test$/m)
  for (const script of [start, test]) assert.match(script, /^node bin\/(?:petstore|launch\.js) /)
})
