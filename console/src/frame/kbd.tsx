import { Group, Kbd as MantineKbd } from '@mantine/core'

const isApple = /Mac|iPhone|iPad/.test(navigator.platform)
const names: Record<string, string> = { mod: isApple ? '⌘' : 'Ctrl', Delete: 'Del' }

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
