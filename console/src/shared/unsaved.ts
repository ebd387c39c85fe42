import { useLayoutEffect } from 'react'
import { createStore } from '../base/store.ts'
import { keepFocus, returnFocus } from './focus-page.ts'

/** What of the open form is not saved: nothing, what was typed, or what is being saved. */
type Unsaved = 'nothing' | 'typed' | 'saving'

type Question = {
  about: Exclude<Unsaved, 'nothing'>
  answer(isLeft: boolean): void
}

/** Asked while somebody wants to leave a form with something that is not saved. */
export const leavingQuestion = createStore<Question | undefined>(undefined)

// Of the one form that is open.
let unsaved: Unsaved = 'nothing'

export function hasUnsaved(): boolean {
  return unsaved !== 'nothing'
}

/** Says what of a form is not saved, for as long as the form is shown. */
export function useUnsaved(now: Unsaved, draft: object): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is typed after somebody chose to leave is asked about again
  useLayoutEffect(() => note(now), [now, draft])
  useLayoutEffect(() => () => note('nothing'), [])
}

/** Does something that closes the open form. Asks before, where something is not saved. */
export function leaveForm(run: () => void): void {
  if (unsaved === 'nothing') run()
  else void mayLeaveForm().then((isLeft) => isLeft && run())
}

/** Resolves to whether the open form may be closed. A newer wish to leave replaces the one before. */
export function mayLeaveForm(): Promise<boolean> {
  if (unsaved === 'nothing') return Promise.resolve(true)
  const about = unsaved
  const asked = leavingQuestion.get()
  const focused = asked === undefined ? document.activeElement : null
  asked?.answer(false)
  return new Promise((resolve) => {
    const answer = (isLeft: boolean) => {
      leavingQuestion.set(undefined)
      // What is done next closes the form: it must not ask again.
      if (isLeft) unsaved = 'nothing'
      if (isLeft) keepFocus()
      else returnFocus(focused)
      resolve(isLeft)
    }
    leavingQuestion.set({ about, answer })
  })
}

function note(now: Unsaved): void {
  unsaved = now
  const question = leavingQuestion.get()
  // The save ended before somebody answered: where it succeeded, nothing is lost.
  if (question !== undefined && question.about !== now) question.answer(now === 'nothing')
}
