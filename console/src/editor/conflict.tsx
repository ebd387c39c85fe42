import { Button, Group } from '@mantine/core'
import { type ReactNode, useEffect, useRef } from 'react'
import { isSame } from '../base/is-same.ts'
import { UserText } from '../shared/user-text.tsx'
import classes from './conflict.module.css'
import editor from './record-editor.module.css'

/** One member of a record in both versions. */
export type Versions = { label: string; mine: ReactNode; theirs: ReactNode; differs: boolean }

/** How fields of a draft are shown; `theirs` is the record of the other version. */
export type Shown<T, Draft> = {
  [Name in keyof Draft]?: { label?: string; show(value: Draft[Name], theirs: T): ReactNode }
}

type Fields<T, Draft> = { labels: Record<string, string>; shown: Shown<T, Draft> | undefined }

/** The fields with a label in my draft, and in that of their record. */
export function compareDrafts<T, Draft extends object>(
  { labels, shown }: Fields<T, Draft>,
  mine: Draft,
  theirs: { record: T; draft: Draft },
): Versions[] {
  return (Object.keys(labels) as (keyof Draft & string)[]).map((name) => {
    const { label = labels[name] ?? name, show = String } = shown?.[name] ?? {}
    const shownIn = (draft: Draft) => {
      const value = show(draft[name], theirs.record)
      return typeof value === 'string' ? <UserText text={value} isWhole /> : value
    }
    return {
      label,
      mine: shownIn(mine),
      theirs: shownIn(theirs.draft),
      differs: !isSame(mine[name], theirs.draft[name]),
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
      <p ref={question} role="alert" tabIndex={-1} className={editor.problem}>
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
