import assert from 'node:assert/strict'

type Sample = { name: string; labels: Record<string, string>; value: number }
type Family = { name: string; type: string; samples: Sample[] }

const namePattern = /^[a-zA-Z_:][a-zA-Z0-9_:]*$/
const samplePattern = /^([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{(.*)\})? (\S+)$/
const labelPattern = /([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\[\\"n])*)"(,|$)/gy
const types = ['counter', 'gauge', 'histogram']

/** Reads Prometheus's text format, version 0.0.4. Fails where it is not that, or against its conventions of names. */
export function readExposition(text: string): Map<string, Family> {
  assert.match(text, /\n$/, 'the last line has no end')
  const families = new Map<string, Family>()
  const series = new Set<string>()
  let family: Family | undefined
  for (const line of text.slice(0, -1).split('\n')) {
    const [, kind, name = '', rest = ''] = /^# (HELP|TYPE) (\S+) (.+)$/.exec(line) ?? []
    if (line === '') continue
    if (kind === 'HELP') {
      assert.ok(namePattern.test(name) && !families.has(name), line)
      family = { name, type: '', samples: [] }
      families.set(name, family)
    } else if (kind === 'TYPE') {
      assert.ok(family?.name === name && family.type === '' && types.includes(rest), line)
      assert.equal(rest === 'counter', name.endsWith('_total'), line)
      family.type = rest
    } else {
      const sample = readSample(line)
      const key = keyOf(sample)
      assert.ok(family && !series.has(key) && isMember(family, sample), line)
      series.add(key)
      family.samples.push(sample)
    }
  }
  for (const { type, name, samples } of families.values()) {
    if (type === 'histogram') checkBuckets(name, samples)
  }
  return families
}

/** The value of one series; undefined where there is none. */
export function sampleOf(text: string, name: string, labels: Record<string, string> = {}) {
  const key = keyOf({ name, labels })
  return samplesIn(text).find((sample) => keyOf(sample) === key)?.value
}

/** All series, without their values. */
export function seriesIn(text: string): string[] {
  return samplesIn(text).map(({ name, labels }) => `${name} ${JSON.stringify(labels)}`)
}

function samplesIn(text: string): Sample[] {
  return [...readExposition(text).values()].flatMap(({ samples }) => samples)
}

function keyOf({ name, labels }: Omit<Sample, 'value'>): string {
  return JSON.stringify([name, Object.entries(labels).sort()])
}

function readSample(line: string): Sample {
  const [, name = '', inBraces = '', value = ''] = samplePattern.exec(line) ?? []
  const labels: Record<string, string> = {}
  let read = 0
  for (const [whole, label = '', text = ''] of inBraces.matchAll(labelPattern)) {
    assert.ok(!(label in labels), line)
    labels[label] = text
    read += whole.length
  }
  assert.equal(read, inBraces.length, line)
  const isNumber = /^(?:[+-]Inf|NaN|Nan)$/.test(value) || Number.isFinite(Number(value))
  assert.ok(name !== '' && value !== '' && isNumber, line)
  return { name, labels, value: Number(value) }
}

function isMember({ name, type }: Family, sample: Sample): boolean {
  if (type !== 'histogram') return sample.name === name && sample.labels.le === undefined
  const isBucket = sample.name === `${name}_bucket`
  return (
    isBucket === 'le' in sample.labels &&
    /^(?:_bucket|_sum|_count)$/.test(sample.name.slice(name.length))
  )
}

/** Buckets count all that is below their bounds; the last has everything. */
function checkBuckets(name: string, samples: readonly Sample[]) {
  const groups = Map.groupBy(samples, ({ labels: { le: _, ...own } }) => JSON.stringify(own))
  for (const group of groups.values()) {
    const buckets = group.filter((sample) => sample.name === `${name}_bucket`)
    const counts = buckets.map(({ value }) => value)
    const bounds = buckets.map(({ labels }) => Number(labels.le?.replace('+Inf', 'Infinity')))
    const isAscending = (numbers: number[], isLess: (a: number, b: number) => boolean) =>
      numbers.every((number, index) => index === 0 || isLess(numbers[index - 1] as number, number))
    assert.ok(isAscending(counts, (a, b) => a <= b) && isAscending(bounds, (a, b) => a < b), name)
    assert.equal(bounds.at(-1), Number.POSITIVE_INFINITY, name)
    assert.equal(group.find((sample) => sample.name === `${name}_count`)?.value, counts.at(-1))
    assert.equal(group.filter((sample) => sample.name === `${name}_sum`).length, 1)
  }
}
