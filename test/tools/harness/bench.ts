import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startPetstore } from '../../../src/start-petstore.ts'
import { startHttpFaults } from '../../processes/http-faults.ts'
import { whenThisProcessIsGone } from '../../processes/process.ts'
import { packagesFolder } from './packages.ts'
import type { Bench, Document, Fault, Tool } from './tool.ts'

/** Starts a store; with a fault, its document or its responses are wrong. */
export async function openBench(
  { seed, firstId }: Pick<Tool, 'seed' | 'firstId'>,
  fault?: Fault,
): Promise<Bench> {
  await using stack = new AsyncDisposableStack()
  const directory = mkdtempSync(join(tmpdir(), 'petstore-tools-'))
  stack.defer(whenThisProcessIsGone('rm -rf "$1"', [directory]))
  stack.defer(() => rmSync(directory, { recursive: true, force: true }))
  const contents = {
    ...(seed !== undefined && { seed }),
    ...(firstId !== undefined && { firstId }),
  }
  const store = stack.use(await startPetstore({ as: 'child', ...contents }))
  const { origin } = new URL(store.baseUrl)
  const front = fault?.distort && (await startHttpFaults(store.baseUrl))
  if (front) {
    stack.defer(front.close)
    front.distort = fault?.distort
  }
  const baseUrl = front?.baseUrl ?? store.baseUrl
  const served = await (await fetch(`${store.baseUrl}/openapi.json`)).text()
  // The receiver of the examples has no address; webhooks to this machine are allowed here.
  const local = served.replaceAll('https://accounting.example', 'http://127.0.0.1:9')
  const document = JSON.parse(local.replaceAll(origin, new URL(baseUrl).origin))
  fault?.edit?.(document)
  const documentPath = writeDocument(directory, document)
  const kept = stack.move()
  return {
    ...{ directory, documentPath, document, baseUrl, key: store.key },
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
