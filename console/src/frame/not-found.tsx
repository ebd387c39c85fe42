import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { Notice } from '../shared/notice.tsx'

/** For an address of the console that leads nowhere. */
export function NotFound() {
  return (
    <Notice title="Page not found" isPage>
      <Button renderRoot={(props) => <Link to="/" {...props} />}>Go to the start page</Button>
    </Notice>
  )
}
