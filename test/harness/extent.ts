import { describe, it, type SuiteFn, type TestFn, type TestOptions } from 'node:test'

/** `npm run test:all` sets this. Otherwise a matrix is a few cases, and a randomized test takes few rounds. */
export const isFull = process.env.TEST_EXTENT === 'all'

/**
 * Defines a test that `npm test` leaves to `npm run test:all`. A file that has no other tests is named `*.full.test.ts`, and
 * uses `it`.
 */
export function itInFull(title: string, test: TestFn): void
export function itInFull(title: string, options: TestOptions, test: TestFn): void
export function itInFull(title: string, ...rest: [TestFn] | [TestOptions, TestFn]): void {
  if (!isFull) return
  const [options, test] = rest.length === 1 ? [{}, ...rest] : rest
  it(title, options, test)
}

/** Defines a suite that `npm test` leaves to `npm run test:all`. */
export function describeInFull(title: string, suite: SuiteFn): void {
  if (isFull) describe(title, suite)
}

/** How many rounds, cases or records this run takes. */
export function amount({ quick, full }: { quick: number; full: number }): number {
  return isFull ? full : quick
}

/** The cases that this run takes: all of them, or every `quickEvery`th. */
export function cases<Case>(all: readonly Case[], { quickEvery }: { quickEvery: number }): Case[] {
  return all.filter((_case, index) => isFull || index % quickEvery === 0)
}
