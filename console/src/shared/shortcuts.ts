import { useEffect, useRef } from 'react'
import { session } from '../api/session.ts'
import { createStore, useStore } from '../base/store.ts'

/** What a key does now. The palette and the list of shortcuts show all of them. */
export type Shortcut = {
  /** A key, `mod+k`, or two keys one after the other, such as `g p`. */
  keys: string
  label: string
  group: string
  run(): void
}

/** Those of the pages that are shown. */
const shortcuts = createStore<readonly Shortcut[]>([])

export function useOfferedShortcuts(): readonly Shortcut[] {
  return useStore(shortcuts)
}

/** Offers shortcuts of a group while the component is shown. */
export function useShortcuts(group: string, own: readonly Omit<Shortcut, 'group'>[]): void {
  const latest = useRef(own)
  latest.current = own
  const words = JSON.stringify(own)
  useEffect(() => {
    const offered = (JSON.parse(words) as Omit<Shortcut, 'run'>[]).map((shortcut, index) => ({
      ...shortcut,
      group,
      run: () => latest.current[index]?.run(),
    }))
    shortcuts.set([...shortcuts.get(), ...offered])
    return () => shortcuts.set(shortcuts.get().filter((other) => !offered.includes(other)))
  }, [group, words])
}

const singleKeysName = 'petstore.single-keys'

/** Whether keys without Ctrl count: who speaks to the machine may want to switch them off (WCAG 2.1.4). */
export const singleKeys = createStore(localStorage.getItem(singleKeysName) !== 'off')

export function setSingleKeys(isOn: boolean): void {
  localStorage.setItem(singleKeysName, isOn ? 'on' : 'off')
  singleKeys.set(isOn)
}

/** How long after the first key of two the second one counts. */
const sequenceMs = 1_500

/** Runs shortcuts until the returned function is called. */
export function listenForShortcuts(target: Window): () => void {
  let first: { key: string; atMs: number } | undefined
  const listen = (event: KeyboardEvent) => {
    if (event.defaultPrevented || event.isComposing) return
    const key = nameOf(event)
    const isWriting = isTextField(event.target)
    if (!key.startsWith('mod+') && (isWriting || !singleKeys.get() || event.altKey)) return
    const isSecond = first !== undefined && event.timeStamp - first.atMs < sequenceMs
    const names = isSecond ? [`${first?.key} ${key}`, key] : [key]
    first = { key, atMs: event.timeStamp }
    const found = names
      .map((name) => shortcuts.get().findLast(({ keys }) => keys === name))
      .find((shortcut) => shortcut !== undefined)
    if (found === undefined || isElsewhere()) return
    event.preventDefault()
    first = undefined
    found.run()
  }
  target.addEventListener('keydown', listen)
  return () => target.removeEventListener('keydown', listen)
}

function nameOf({ key, ctrlKey, metaKey }: KeyboardEvent): string {
  const name = key.length === 1 ? key.toLowerCase() : key
  return ctrlKey || metaKey ? `mod+${name}` : name
}

function isTextField(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable ||
      target.matches('input:not([type=checkbox],[type=radio]), textarea, select'))
  )
}

/** Whether the keys are those of a dialog or a menu, or of the page that asks for another API key. */
function isElsewhere(): boolean {
  const isEnded = session.get()?.endedBecause !== undefined
  return isEnded || document.querySelector('[role="dialog"], :popover-open') !== null
}
