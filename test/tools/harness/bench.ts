import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startPetstore } from '../../../src/start-petstore.ts'
import { startDistorted } from './distort.ts'
import { undoAtExit } from './exit.ts'
import { packagesFolder } from './packages.ts'
import type { Bench, Document, Fault, Tool } from './tool.ts'

/** Starts a store; with a fault, its document or its responses are wrong. */
export async function openBench(
  { seed, firstId }: Pick<Tool, 'seed' | 'firstId'>,
  fault?: Fault,
): Promise<Bench> {
  await using stack = new AsyncDisposableStack()
  const directory = mkdtempSync(join(tmpdir(), 'petstore-tools-'))
  const remove = () => rmSync(directory, { recursive: true, force: true })
  stack.defer(undoAtExit(remove))
  stack.defer(remove)
  const contents = {
    ...(seed !== undefined && { seed }),
    ...(firstId !== undefined && { firstId }),
  }
  const store = stack.use(await startPetstore({ as: 'child', ...contents }))
  const { origin } = new URL(store.baseUrl)
  const front = fault?.distort && stack.use(await startDistorted(origin, fault.distort))
  const served = await (await fetch(`${store.baseUrl}/openapi.json`)).text()
  // The receiver of the examples has no address; webhooks to this machine are allowed here.
  const local = served.replaceAll('https://accounting.example', 'http://127.0.0.1:9')
  const document = JSON.parse(local.replaceAll(origin, front?.origin ?? origin))
  fault?.edit?.(document)
  const documentPath = writeDocument(directory, document)
  const kept = stack.move()
  return {
    ...{ directory, documentPath, document, key: store.key },
    baseUrl: store.baseUrl.replace(origin, front?.origin ?? origin),
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  }
}

function writeDocument(directory: string, document: Document): string {
  mkdirSync(join(directory, 'clients/generated'), { recursive: true })
  symlinkSync(join(packagesFolder, 'node_modules'), join(directory, 'node_modules'))
  writeFileSync(join(directory, 'package.json'), '{"type":"module"}')
  const path = join(directory, 'openapi.json')
  writeFileSync(path, JSON.stringify(document, null, 2))
  return path
}
