import { environment } from '../api/page-context.ts'
import classes from './environment-badge.module.css'

/** Says which environment the pages change. Staging cannot be mistaken for production. */
export function EnvironmentBadge() {
  return (
    <span className={environment === 'staging' ? classes.staging : classes.production}>
      {environment === 'staging' ? 'Staging' : 'Production'}
    </span>
  )
}
