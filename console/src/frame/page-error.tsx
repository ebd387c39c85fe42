import { Button } from '@mantine/core'
import { describeError } from '../api/describe-error.ts'
import { PartError, reloadPage } from '../shared/load-part.ts'
import { Notice } from '../shared/notice.tsx'

/** In place of a page that failed. */
export function PageError({ error, reset }: { error: unknown; reset(): void }) {
  return (
    <Notice title="This page could not be shown" text={describeError(error)} isAlert isPage>
      <Button onClick={error instanceof PartError ? reloadPage : reset}>Try again</Button>
    </Notice>
  )
}
