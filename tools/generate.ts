import { readFileSync, writeFileSync } from 'node:fs'
import { operations } from '../src/app/operations.ts'
import { assembleDocument } from '../src/openapi/document.ts'

/** Generated files, which are committed. */
const generated = [
  {
    url: new URL('../openapi.json', import.meta.url),
    text: `${JSON.stringify(assembleDocument(operations), null, 2)}\n`,
  },
]

const isCheck = process.argv.includes('--check')
const isFresh = (url: URL, text: string) => {
  try {
    return readFileSync(url, 'utf8') === text
  } catch {
    return false
  }
}

const stale = generated.filter(({ url, text }) => !isFresh(url, text))
for (const { url, text } of stale) {
  const name = url.pathname.split('/').at(-1)
  if (!isCheck) writeFileSync(url, text)
  console.log(
    isCheck
      ? `${name} is not what the source makes of it; run npm run generate.`
      : `${name} is written.`,
  )
}
if (isCheck && stale.length > 0) process.exitCode = 1
