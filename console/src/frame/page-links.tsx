import { Link } from '@tanstack/react-router'
import type { Page } from '../shared/define-page.ts'
import { Icon } from '../shared/icon.tsx'

type Props = { pages: readonly Page[]; className: string | undefined }

export function PageLinks({ pages, className }: Props) {
  return pages.map(({ path, label, icon }) => (
    <Link key={path} to={path} className={className} activeProps={{ 'aria-current': 'page' }}>
      <Icon name={icon} />
      {label}
    </Link>
  ))
}
