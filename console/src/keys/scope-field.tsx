import { Button, Checkbox } from '@mantine/core'
import { covers, describeScope, grantableScopes, isManaging } from './grants.ts'
import classes from './keys.module.css'

type Props = {
  grants: readonly string[]
  /** The grants of the signed-in key: what it may not grant is not offered. */
  own: readonly string[]
  error: string | undefined
  isSaving: boolean
  set(grants: readonly string[]): void
}

/** What a key may do, as check boxes. */
export function ScopeField({ grants, own, error, isSaving, set }: Props) {
  const offered = grantableScopes(own)
  const isDefault = grants.includes('default')

  function toggle(scope: string) {
    const chosen = offered.filter((one) => covers(grants, one) !== (one === scope))
    set(isDefault && isManaging(scope) ? ['default', ...chosen.filter(isManaging)] : chosen)
  }

  return (
    <fieldset className={classes.scopes} disabled={isSaving}>
      <legend>Allowed to</legend>
      <span className={classes.choices}>
        <Button
          size="compact-sm"
          variant="default"
          onClick={() => set(offered.filter((scope) => scope.endsWith(':read')))}
        >
          Read only
        </Button>
        {own.includes('default') && (
          <Button size="compact-sm" variant="default" onClick={() => set(['default'])}>
            Everything
          </Button>
        )}
      </span>
      {offered.map((scope) => (
        <Checkbox
          key={scope}
          size="sm"
          label={describeScope(scope)}
          checked={covers(grants, scope)}
          onChange={() => toggle(scope)}
        />
      ))}
      {isDefault && (
        <p className={classes.note}>Also what later versions add, but not to manage keys</p>
      )}
      {error !== undefined && (
        <p role="alert" className={classes.wrong}>
          {error}
        </p>
      )}
    </fieldset>
  )
}
