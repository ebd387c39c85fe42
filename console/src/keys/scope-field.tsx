import { ChoiceBoxes } from '../editor/choice-boxes.tsx'
import { covers, describeScope, grantableScopes, isManaging } from './grants.ts'

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

  const readable = offered.filter((scope) => scope.endsWith(':read'))
  return (
    <ChoiceBoxes
      legend="Allowed to"
      presets={[
        { label: 'Read only', choose: () => set(readable) },
        ...(own.includes('default')
          ? [{ label: 'Everything', choose: () => set(['default']) }]
          : []),
      ]}
      options={offered.map((scope) => ({ value: scope, label: describeScope(scope) }))}
      isChecked={(scope) => covers(grants, scope)}
      toggle={toggle}
      note={
        isDefault ? 'Also what later versions add, but not to manage keys or webhooks' : undefined
      }
      error={error}
      isSaving={isSaving}
    />
  )
}
