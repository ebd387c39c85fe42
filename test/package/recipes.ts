import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempDisposableSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { example } from '../harness/documents.ts'
import { environmentFor, repositoryRoot, startProgram } from '../processes/process.ts'

/** The package `junit5` of Debian has it here. */
const junit = '/usr/share/java/junit-platform-console-standalone.jar'
const junitRun = `java -jar ${junit} --disable-banner --class-path out --select-class PetsTest`

/** By language: the file in `docs/examples/tests/`, what runs it, and what succeeds where that is installed. */
const recipes: Record<string, [file: string, command: string, needs: string]> = {
  js: ['pets.test.mjs', 'node --test', 'node --version'],
  python: ['test_pets.py', 'python3 -m pytest', 'python3 -m pytest --version'],
  java: ['PetsTest.java', `javac -cp ${junit} -d out *.java && ${junitRun}`, `test -e ${junit}`],
  go: ['pets_test.go', 'go mod init pets && go test', 'go version'],
  ruby: ['pets_test.rb', 'ruby pets_test.rb', 'ruby -e \'require "minitest"\''],
  bash: ['pets-test.sh', 'sh pets-test.sh', 'curl --version'],
}

/** Each recipe passes, fails with a store that has another pet, and leaves no store. */
export async function* useRecipes() {
  for (const [language, [file, command, needs]] of Object.entries(recipes)) {
    if (spawnSync('sh', ['-c', needs]).status !== 0) {
      yield `${language}: NOT RUN, since this fails: ${needs}`
      continue
    }
    for (const seed of [0, 1]) {
      using folder = mkdtempDisposableSync(join(tmpdir(), 'petstore-recipe-'))
      mkdirSync(join(folder.path, 'bin'))
      writeFileSync(join(folder.path, file), example(`tests/${file}`))
      const more = seed === 0 ? '' : `--seed ${seed}`
      const store = `exec '${process.execPath}' '${repositoryRoot}bin/petstore.js' "$@" ${more}`
      writeFileSync(join(folder.path, 'bin/petstore'), `#!/bin/sh\n${store}\n`, { mode: 0o755 })
      const run = startProgram(['sh', '-c', command], { cwd: folder.path, env: environmentFor() })
      // A store that is left keeps standard error open: this would not end.
      const { code } = await run.exited
      if ((code === 0) !== (seed === 0))
        throw new Error(`${language}: ${command} ${more} ended with ${code}:\n${run.written()}`)
    }
    yield `${language}: passes, fails with a store that has a pet, and leaves none`
  }
}
