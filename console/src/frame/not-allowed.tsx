import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
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
