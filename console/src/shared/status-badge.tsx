import classes from './status-badge.module.css'

type Props = {
  /** How it looks: `good`, `waiting`, `over` or none. */
  tone: 'good' | 'waiting' | 'over' | 'none'
  label: string
}

/** A state in a word, with a dot in its colour. */
export function StatusBadge({ tone, label }: Props) {
  return (
    <span className={classes.badge} data-tone={tone}>
      {label}
    </span>
  )
}
