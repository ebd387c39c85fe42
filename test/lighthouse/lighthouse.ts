/** What is used of the packages `lighthouse` and `puppeteer-core`, which only npm run test:lighthouse installs. */
export type Tab = {
  goto(url: string): Promise<unknown>
  locator(selector: string): {
    fill(text: string): Promise<void>
    click(): Promise<void>
    wait(): Promise<unknown>
  }
  close(): Promise<void>
}

type Audit = { score: number | null; title: string; displayValue?: string }

type Result = {
  lhr: {
    categories: Record<
      string,
      { score: number | null; auditRefs: { id: string; weight: number }[] }
    >
    audits: Record<string, Audit>
    runtimeError?: { message: string }
  }
  report: string
}

/** The categories that are measured. */
export const categories = ['performance', 'accessibility', 'best-practices'] as const
type Category = (typeof categories)[number]

export type Scores = {
  /** From 0 to 100. */
  scores: Record<Category, number>
  /** What is not perfect and counts, as sentences. */
  faults: string[]
  timings: Record<'firstContentfulPaint' | 'largestContentfulPaint' | 'totalBlockingTime', number>
  /** A page that shows all of it. */
  html: string
}

/** Opens a tab of the browser that listens on this port; the tabs are closed with it. */
export async function connect(port: number): Promise<{ openTab(): Promise<Tab> }> {
  const puppeteer = await import(import.meta.resolve('puppeteer-core'))
  const browser = await puppeteer.default.connect({
    browserURL: `http://127.0.0.1:${port}`,
    defaultViewport: null,
  })
  return { openTab: () => browser.newPage() }
}

/** Loads a page in a tab, without its cache, and scores it as on a desk. The tab keeps what it stores. */
export async function scorePage(tab: Tab, url: string): Promise<Scores> {
  const { default: lighthouse, desktopConfig } = await import(import.meta.resolve('lighthouse'))
  const flags = {
    output: 'html',
    logLevel: 'error',
    onlyCategories: [...categories],
    disableStorageReset: true,
  }
  const { lhr, report }: Result = await lighthouse(url, flags, desktopConfig, tab)
  if (lhr.runtimeError) throw new Error(`${url}: ${lhr.runtimeError.message}`)
  const scoreOf = (category: Category) => Math.round((lhr.categories[category]?.score ?? 0) * 100)
  const timingOf = (id: string) =>
    Math.round((lhr.audits[id] as { numericValue?: number } | undefined)?.numericValue ?? 0)
  return {
    scores: {
      performance: scoreOf('performance'),
      accessibility: scoreOf('accessibility'),
      'best-practices': scoreOf('best-practices'),
    },
    faults: faultsOf(lhr),
    timings: {
      firstContentfulPaint: timingOf('first-contentful-paint'),
      largestContentfulPaint: timingOf('largest-contentful-paint'),
      totalBlockingTime: timingOf('total-blocking-time'),
    },
    html: report,
  }
}

function faultsOf({ categories, audits }: Result['lhr']): string[] {
  const counted = Object.values(categories).flatMap(({ auditRefs }) => auditRefs)
  return counted.flatMap(({ id, weight }) => {
    const { score = null, title = id, displayValue = '' } = audits[id] ?? {}
    const isPerfect = weight === 0 || score === null || score >= 0.9
    return isPerfect ? [] : [`${title} ${displayValue}`.trim()]
  })
}
