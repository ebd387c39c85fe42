import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

/**
 * The test files that share processes. `test/architecture/sources.test.ts` requires that they leave the process
 * unchanged.
 */
export const sharingTests =
  '{{src,test/{bench,browser,cli,client,console,consistency,faults,features,harness,http,interface,migrations,postgres,test-bench,verify}}/**/*,test/{compare-skips,launch*,package},test/documents/!(blocks|*.full)}.test.ts'

/** These share a browser too. */
export const browserTests = 'test/browser/**'

/**
 * Writes as many modules to a new folder, each of which loads its share of these test files; returns their paths. In a
 * process of its own a file would mostly load modules, and run code that is not optimized yet.
 */
export function shareProcesses(folder: string, paths: string[], processes: number): string[] {
  mkdirSync(folder)
  return Array.from({ length: processes }, (_, share) => {
    const tests = join(folder, `${share + 1}.js`)
    const loaded = paths.filter((_path, index) => index % processes === share)
    writeFileSync(tests, loaded.map((path) => `import ${urlOf(path)}\n`).join(''))
    const module = join(folder, `${share + 1}.test.js`)
    // The tests load the runner, after what changes it.
    writeFileSync(module, `import ${untrackedPromises}\nawait import(${urlOf(tests)})\n`)
    return module
  })
}

const untrackedPromises = urlOf(join(import.meta.dirname, 'untracked-promises.ts'))

function urlOf(path: string): string {
  return JSON.stringify(pathToFileURL(path))
}
