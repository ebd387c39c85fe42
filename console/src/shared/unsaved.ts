import { useBlocker } from '@tanstack/react-router'
import { useLayoutEffect } from 'react'

/** What of the open form is not saved: nothing, what was typed, or what is being saved. */
type Unsaved = 'nothing' | 'typed' | 'saving'

const questions = {
  typed: 'What you typed is not saved yet. Throw it away?',
  saving: 'It is still being saved. If it is refused, what you typed is lost. Leave?',
}

// Of the one form that is open.
let unsaved: Unsaved = 'nothing'

/** Says what of a form is not saved, for as long as the form is shown. */
export function useUnsaved(now: Unsaved, draft: object): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is typed after somebody chose to leave is asked about again
  useLayoutEffect(() => {
    unsaved = now
    return () => {
      unsaved = 'nothing'
    }
  }, [now, draft])
}

/** Does something that closes the open form. Asks before, where something is not saved. */
export function leaveForm(run: () => void): void {
  if (mayLeaveForm()) run()
}

/** Asks before another page closes the form: by links, shortcuts, Back and Forward, or what closes or reloads the tab. */
export function useAskedPages(): void {
  useBlocker({
    enableBeforeUnload: () => unsaved !== 'nothing',
    // The form stays where only the filters of its page change.
    shouldBlockFn: ({ current, next }) => next.pathname !== current.pathname && !mayLeaveForm(),
  })
}

function mayLeaveForm(): boolean {
  if (unsaved !== 'nothing' && !confirm(questions[unsaved])) return false
  // What is done next closes the form: it must not ask again.
  unsaved = 'nothing'
  return true
}
