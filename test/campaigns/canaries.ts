/**
 * npm run test:canaries -- [FILE …]
 * Runs tests, all of the gate unless some are named, with keys that contain a known text, in a folder of their own that keeps
 * what they remove. Exits with 1 where a file of it, but those that are there to keep a key, has 16 characters of that text.
 */
import { spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

const text = 'CANARYcanaryCANARYcanary'
const pieceLength = 16
/** Files of first keys, what `petstore login` keeps, what users save in tests, and constants of their programs, compiled. */
const keepsKey =
  /first-?key|\/petstore\/profiles\.json$|\/(?:hook\.secret|readme\.mjs|tmp\.\w{10})$|\/modules-\w{6}\//i

const folder = mkdtempSync(join(tmpdir(), 'petstore-canaries-'))
// Where root runs this, PostgreSQL is another user.
chmodSync(folder, 0o755)
const kept = join(folder, 'kept')
mkdirSync(kept)
const preload = pathToFileURL(join(import.meta.dirname, 'canary-keys.js')).href
const named = process.argv.slice(2)
const args = named.length > 0 ? ['--test', ...named] : ['tools/check.ts', 'postgres', 'tests']
// Tests that expect other keys, or that a file is gone, fail here: what counts is what is on the disk.
spawnSync(process.execPath, args, {
  stdio: 'inherit',
  env: {
    ...process.env,
    TMPDIR: folder,
    POSTGRES_FOLDER: folder,
    CANARY_TEXT: text,
    CANARY_KEPT: kept,
    NODE_OPTIONS: `--import ${preload}`,
  },
})
// As the secret of a webhook, the same bytes are shown in Base64.
const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const asSecret = Buffer.from([...text].map((one) => alphabet.indexOf(one))).toString('base64')
const pieces = [text, asSecret].flatMap((known) =>
  Array.from({ length: known.length - pieceLength + 1 }, (_, start) =>
    known.slice(start, start + pieceLength),
  ),
)
const patterns = pieces.flatMap((piece) => ['-e', piece])
// It reads binary files too.
const { stdout } = spawnSync('grep', ['-rlF', ...patterns, folder], {
  encoding: 'utf8',
  env: { ...process.env, LC_ALL: 'C' },
})
const withKeys = stdout.split('\n').filter((path) => path !== '')
const found = withKeys.filter((path) => !keepsKey.test(path))
for (const path of found) console.error(`${path} has a part of a key or a secret.`)
console.log(
  `${readdirSync(folder, { recursive: true }).length} files; ${withKeys.length - found.length} that keep a key; ${found.length} others with parts of keys`,
)
if (found.length === 0) rmSync(folder, { recursive: true, force: true })
const isUnused = withKeys.length === 0
if (isUnused) console.error('No key was found anywhere: the known text was not used.')
process.exitCode = found.length > 0 || isUnused ? 1 : 0
