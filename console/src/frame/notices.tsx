import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { describeError } from '../api/describe-error.ts'
import type { Page } from '../shared/define-page.ts'
import { Notice } from '../shared/notice.tsx'

/** In place of a page that the key may not read. */
export function NotAllowed({ own }: { own: readonly Page[] }) {
  return (
    <Notice
      isPage
      title="This key has no access to this page"
      text="Sign out and use a key that has access, or go to one of these pages."
      icon="key"
    >
      {own.map(({ path, label }) => (
        <Button key={path} variant="default" renderRoot={(props) => <Link to={path} {...props} />}>
          {label}
        </Button>
      ))}
    </Notice>
  )
}

/** For an address of the console that leads nowhere. */
export function NotFound() {
  return (
    <Notice title="Page not found" isPage>
      <Button renderRoot={(props) => <Link to="/" {...props} />}>Go to the start page</Button>
    </Notice>
  )
}

/** In place of a page that failed. */
export function PageError({ error, reset }: { error: unknown; reset(): void }) {
  return (
    <Notice title="This page could not be shown" text={describeError(error)} isAlert isPage>
      <Button onClick={reset}>Try again</Button>
    </Notice>
  )
}
