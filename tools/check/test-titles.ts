import type { TestEvent } from 'node:test/reporters'

/** Follows the events of a run. For an event that reports a test it returns the title after those of its suites. */
export function createTitles(): (event: TestEvent) => string {
  const titlesOf = new Map<string | undefined, string[]>()
  return ({ type, data }) => {
    const isAboutTest = type === 'test:start' || type === 'test:pass' || type === 'test:fail'
    if (!isAboutTest) return ''
    const titles = titlesOf.get(data.entryFile)?.slice(0, data.nesting) ?? []
    titles[data.nesting] = data.name
    titlesOf.set(data.entryFile, titles)
    return titles.join(' > ')
  }
}
