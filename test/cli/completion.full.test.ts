import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { chmodSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { it } from 'node:test'
import { environmentWith } from '../../src/config/config.ts'
import { startPetstore } from '../../src/start-petstore.ts'
import { aDirectory, executable } from '../processes/command.ts'

/** Each prints what the shell makes of the words `petstore …` with Tab behind them. */
const shells: Record<string, (words: string[]) => string> = {
  bash: (words) => `
    source <(petstore completion bash)
    COMP_WORDS=(petstore ${words.map((word) => `'${word}'`).join(' ')})
    COMP_CWORD=${words.length}
    _petstore
    printf '%s\\n' "\${COMPREPLY[@]}"`,
  fish: (words) => `
    petstore completion fish | source
    complete -C 'petstore ${words.join(' ')}' | string split -f 1 \\t`,
  // The function alone: `compadd` takes its candidates only within an editor.
  zsh: (words) => `
    compdef() { :; }
    compadd() { shift; print -l -- \${(P)1} | grep -e "^${words.at(-1)}"; }
    _files() { :; }
    source <(petstore completion zsh)
    words=(petstore ${words.map((word) => `'${word}'`).join(' ')})
    CURRENT=$#words
    _petstore`,
}

const completed: [words: string[], candidates: string][] = [
  [['inv'], 'inventory'],
  [['inventory', 's'], 'set'],
  [['pets', 'list', '--sta'], '--status'],
  [['pets', 'list', '--status', ''], 'available pending sold'],
  [['pets', 'get', '1'], '1 10 11 12'],
]

const installed = Object.keys(shells).filter(
  (shell) => spawnSync(shell, ['-c', 'true']).status === 0,
)

for (const shell of installed) {
  it(`completion: ${shell} completes commands, options, values and ids`, async (t) => {
    await using store = await startPetstore({ as: 'child', seed: 12 })
    const folder = aDirectory(t)
    const path = join(folder, 'petstore')
    const words = executable().map((word) => `'${word}'`)
    writeFileSync(path, `#!/bin/sh\nexec ${words.join(' ')} "$@"\n`)
    chmodSync(path, 0o755)
    const env = environmentWith({
      HOME: folder,
      PATH: [folder, process.env.PATH].join(delimiter),
      PETSTORE_URL: store.baseUrl,
      PETSTORE_KEY: store.key,
    })
    for (const [words, candidates] of completed) {
      const script = shells[shell]?.(words) as string
      const { stdout, stderr } = spawnSync(shell, ['-c', script], { env, encoding: 'utf8' })
      assert.equal(stdout.trim().split('\n').sort().join(' '), candidates, `${words}: ${stderr}`)
    }
  })
}

it('the shell of the tests is one of those', () => {
  assert.ok(installed.includes('bash'))
})
