import { Fragment } from 'react'
import { foundParts } from '../base/found-words.ts'
import { shortened, visibleParts } from '../base/visible-text.ts'
import classes from './user-text.module.css'

type Props = {
  text: string
  isWhole?: boolean
  /** The words that are searched for: they are marked. */
  found?: readonly string[]
}

/**
 * Text that somebody else wrote, always as text: its direction does not reach beyond it, and what cannot be seen has a
 * mark. It is cut where there is no room; the whole of it is there on demand.
 */
export function UserText({ text, isWhole = false, found = [] }: Props) {
  const shown = isWhole ? text : shortened(text)
  return (
    <bdi className={isWhole ? classes.whole : classes.line} title={isWhole ? undefined : text}>
      {foundParts(shown, found).map(({ text, isFound }, index) => {
        const Part = isFound ? 'mark' : Fragment
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one text have no other name
          <Part key={index}>
            <Visible text={text} />
          </Part>
        )
      })}
    </bdi>
  )
}

function Visible({ text }: { text: string }) {
  return visibleParts(text).map(({ text, hidden }, index) =>
    hidden === undefined ? (
      text
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one text have no other name
      <span key={index} className={classes.mark} title={hidden}>
        {text}
      </span>
    ),
  )
}
