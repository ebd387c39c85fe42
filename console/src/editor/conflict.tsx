import { Button, Group } from '@mantine/core'
import { type ReactNode, useEffect, useRef } from 'react'
import { UserText } from '../shared/user-text.tsx'
import classes from './conflict.module.css'

/** One member of a record in both versions. */
export type Versions = { label: string; mine: ReactNode; theirs: ReactNode; differs: boolean }

/** How a member of a draft is named and shown. */
type Compared<Draft> = { [Name in keyof Draft]?: Shown<Draft[Name]> }
type Shown<Value> = { label: string; show?(value: Value): ReactNode }

/** The members of two drafts. */
export function compareDrafts<Draft extends object>(
  compared: Compared<Draft>,
  mine: Draft,
  theirs: Draft,
): Versions[] {
  return (Object.keys(compared) as (keyof Draft)[]).map((name) => {
    const { label, show = String } = compared[name] as Shown<Draft[keyof Draft]>
    const shownIn = (draft: Draft) => {
      const shown = show(draft[name])
      return typeof shown === 'string' ? <UserText text={shown} isWhole /> : shown
    }
    return {
      label,
      mine: shownIn(mine),
      theirs: shownIn(theirs),
      differs: mine[name] !== theirs[name],
    }
  })
}

type Props = {
  /** The kind of record, such as `category`. */
  of: string
  members: readonly Versions[]
  keepMine(): void
  takeTheirs(): void
  /** Neither yet: goes on with mine, over theirs. */
  edit(): void
}

/** Somebody else changed the record: shows both versions, and asks which one to keep. */
export function Conflict({ of, members, keepMine, takeTheirs, edit }: Props) {
  const question = useRef<HTMLParagraphElement>(null)
  // Not a button: another press of Enter is not an answer.
  useEffect(() => question.current?.focus(), [])
  return (
    <>
      <p ref={question} role="alert" tabIndex={-1} className={classes.question}>
        Somebody else changed this {of} while you were editing it. Your changes are not saved yet:
        choose which version to keep.
      </p>
      <table className={classes.versions}>
        <thead>
          <tr>
            <td />
            <th scope="col">Yours</th>
            <th scope="col">Theirs (saved)</th>
          </tr>
        </thead>
        <tbody>
          {members.map(({ label, mine, theirs, differs }) => (
            <tr key={label} data-differs={differs || undefined}>
              <th scope="row">{label}</th>
              <td>{mine}</td>
              <td>{theirs}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <Group gap="0.6rem">
        <Button onClick={keepMine}>Save mine</Button>
        <Button variant="default" onClick={takeTheirs}>
          Keep theirs
        </Button>
        <Button variant="subtle" onClick={edit}>
          Keep editing
        </Button>
      </Group>
    </>
  )
}
