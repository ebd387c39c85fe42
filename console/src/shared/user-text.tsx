import classes from './user-text.module.css'
import { visibleParts } from './visible-text.ts'

/** Of a longer text the rest is left out where there is one line for it. */
const lengthMax = 300

/**
 * Text that somebody else wrote, always as text: its direction does not reach beyond it, and what cannot be seen has a
 * mark. It is cut where there is no room; the whole of it is there on demand.
 */
export function UserText({ text, isWhole = false }: { text: string; isWhole?: boolean }) {
  const isLong = !isWhole && text.length > lengthMax
  const shown = isLong ? `${sliceOf(text, lengthMax)}…` : text
  return (
    <bdi className={isWhole ? classes.whole : classes.line} title={isWhole ? undefined : text}>
      {visibleParts(shown).map(({ text, hidden }, index) =>
        hidden === undefined ? (
          text
        ) : (
          // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one text have no other name
          <span key={index} className={classes.mark} title={hidden}>
            {text}
          </span>
        ),
      )}
    </bdi>
  )
}

/** Never half of a character. */
function sliceOf(text: string, length: number): string {
  const end = /[\ud800-\udbff]/.test(text.charAt(length - 1)) ? length - 1 : length
  return text.slice(0, end)
}
