import { shortened, visibleParts } from '../base/visible-text.ts'
import classes from './user-text.module.css'

type Props = { text: string; isWhole?: boolean }

/**
 * Text that somebody else wrote, always as text: its direction does not reach beyond it, and what cannot be seen has a
 * mark. It is cut where there is no room; the whole of it is there on demand.
 */
export function UserText({ text, isWhole = false }: Props) {
  return (
    <bdi className={isWhole ? classes.whole : classes.line} title={isWhole ? undefined : text}>
      {visibleParts(isWhole ? text : shortened(text)).map(({ text, isHidden }, index) =>
        isHidden ? (
          // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one text have no other name
          <span key={index} className={classes.mark} title="invisible character">
            {text}
          </span>
        ) : (
          text
        ),
      )}
    </bdi>
  )
}
