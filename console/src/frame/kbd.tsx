import { Group, Kbd as MantineKbd, VisuallyHidden } from '@mantine/core'
import type { ReactNode } from 'react'
import { Icon } from '../shared/icon.tsx'

const isApple = /Mac|iPhone|iPad/.test(navigator.platform)
const names: Record<string, ReactNode> = {
  mod: isApple ? '⌘' : 'Ctrl',
  ArrowUp: <Arrow name="arrowUp" label="Up" />,
  ArrowDown: <Arrow name="arrowDown" label="Down" />,
  Delete: 'Del',
  Escape: 'Esc',
  PageDown: 'PgDn',
  PageUp: 'PgUp',
}

/** The keys of a shortcut, as they are written on the keyboard. */
export function Kbd({ keys }: { keys: string }) {
  return (
    <Group component="span" display="inline-flex" gap="0.25rem" wrap="nowrap">
      {keys.split(/[ +](?=.)/).map((key) => (
        <MantineKbd key={key} size="xs">
          {names[key] ?? (key.length === 1 ? key.toUpperCase() : key)}
        </MantineKbd>
      ))}
    </Group>
  )
}

/** Not every font has arrows. */
function Arrow({ name, label }: { name: 'arrowUp' | 'arrowDown'; label: string }) {
  return (
    <>
      <Icon name={name} size={11} />
      <VisuallyHidden>{label}</VisuallyHidden>
    </>
  )
}
