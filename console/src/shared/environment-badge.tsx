import { Box } from '@mantine/core'
import { environment } from '../api/page-context.ts'

const looks = {
  production: { bd: '1px solid var(--line)', c: 'dimmed' },
  staging: { bd: '1px solid var(--staging)', bg: 'var(--staging)', c: 'var(--on-staging)' },
}

/** Says which environment the pages change. Staging cannot be mistaken for production. */
export function EnvironmentBadge() {
  return (
    <Box component="span" px="0.55rem" bdrs={99} fz="0.72rem" fw={600} {...looks[environment]}>
      {environment === 'staging' ? 'STAGING' : 'Production'}
    </Box>
  )
}
