import { Button, Checkbox, Group } from '@mantine/core'
import type { ReactNode } from 'react'
import classes from './choice-boxes.module.css'
import dialogs from './dialogs.module.css'

type Props = {
  legend: string
  /** Buttons that set all boxes at once. */
  presets: readonly { label: string; choose(): void }[]
  options: readonly { value: string; label: string }[]
  isChecked(value: string): boolean
  toggle(value: string): void
  /** What the choice means besides. */
  note: string | undefined
  error: ReactNode
  isSaving: boolean
}

/** A field of check boxes. */
export function ChoiceBoxes(props: Props) {
  const { legend, presets, options, isChecked, toggle, note, error, isSaving } = props
  return (
    <fieldset className={classes.boxes} disabled={isSaving}>
      <legend>{legend}</legend>
      <Group gap="xs" className={classes.whole}>
        {presets.map(({ label, choose }) => (
          <Button key={label} size="compact-sm" variant="default" onClick={choose}>
            {label}
          </Button>
        ))}
      </Group>
      {options.map(({ value, label }) => (
        <Checkbox
          key={value}
          size="sm"
          label={label}
          checked={isChecked(value)}
          onChange={() => toggle(value)}
        />
      ))}
      {note !== undefined && <p className={dialogs.note}>{note}</p>}
      {error !== undefined && (
        <p role="alert" className={dialogs.wrong}>
          {error}
        </p>
      )}
    </fieldset>
  )
}
