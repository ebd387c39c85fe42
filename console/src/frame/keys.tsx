import { Kbd } from '@mantine/core'
import classes from './keys.module.css'

const isApple = /Mac|iPhone|iPad/.test(navigator.platform)
const names: Record<string, string> = {
  mod: isApple ? '⌘' : 'Ctrl',
  ArrowUp: '↑',
  ArrowDown: '↓',
  Delete: 'Del',
  Escape: 'Esc',
  PageDown: 'PgDn',
  PageUp: 'PgUp',
}

/** The keys of a shortcut, as they are written on the keyboard. */
export function Keys({ keys }: { keys: string }) {
  return (
    <span className={classes.keys}>
      {keys.split(/[ +](?=.)/).map((key) => (
        <Kbd key={key} size="xs">
          {names[key] ?? (key.length === 1 ? key.toUpperCase() : key)}
        </Kbd>
      ))}
    </span>
  )
}
