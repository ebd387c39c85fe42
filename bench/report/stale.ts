import type { Results } from '../results.ts'
import { chart, documents } from './documents.ts'
import { findSection, type Place } from './section.ts'

/** Paths from the root of the repository to what stands there. */
type Texts = ReadonlyMap<string, string>

/** What is shown of a full run and is not what its results say, a sentence each. Without results nothing may be shown. */
export function findStale(results: Results | undefined, texts: Texts): string[] {
  const shown = [
    ...documents.map(({ path, place, write }) => ({
      path,
      found: findSection(texts.get(path) ?? '', place),
      expected: results && enclosed(place, write(results)),
    })),
    { path: chart.path, found: texts.get(chart.path), expected: results && chart.write(results) },
  ]
  return shown
    .filter(({ found, expected }) => found !== expected)
    .map(({ path }) =>
      results
        ? `${path} does not show what bench/results/full.json says: run node bench/report.ts.`
        : `${path} shows figures, and there is no bench/results/full.json.`,
    )
}

/** Text between the marks of its place. */
export function enclosed({ begin, end }: Place, text: string): string {
  return [begin, '', text, '', end].join('\n')
}
