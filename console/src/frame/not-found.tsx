import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { Notice } from '../shared/notice.tsx'

/** For an address of the console that leads nowhere. */
export function NotFound() {
  return (
    <Notice title="There is no such page" isPage>
      <Button renderRoot={(props) => <Link to="/" {...props} />}>Go to the first page</Button>
    </Notice>
  )
}
