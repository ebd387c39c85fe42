import { Button, Group, Modal } from '@mantine/core'
import { useBlocker, useRouter } from '@tanstack/react-router'
import type { KeyboardEvent } from 'react'
import { useSession } from '../api/session.ts'
import { useStore } from '../base/store.ts'
import { hasUnsaved, leaveForm, leavingQuestion, mayLeaveForm } from '../shared/unsaved.ts'

const words = {
  typed: {
    title: 'Throw away what you typed?',
    text: 'It is not saved yet.',
    stay: 'Keep editing',
    leave: 'Throw away',
  },
  saving: {
    title: 'Leave while it is being saved?',
    text: 'A message will tell you how it ended. If it is refused, what you typed is lost.',
    stay: 'Wait',
    leave: 'Leave',
  },
} as const

/** Asks before something that is not saved would be lost, whatever would lose it. */
export function LeavingQuestion() {
  useBlockedPages()
  const question = useStore(leavingQuestion)
  const isEnded = useSession()?.endedBecause !== undefined
  // Whoever has to sign in again answers after that.
  if (question === undefined || isEnded) return null
  const { title, text, stay, leave } = words[question.about]
  return (
    <Modal
      opened
      onClose={() => question.answer(false)}
      onKeyDownCapture={ignoreHeldEnter}
      title={<strong>{title}</strong>}
      size="sm"
      centered
      withCloseButton={false}
      returnFocus={false}
    >
      {text}
      <Group mt="lg" gap="sm" justify="flex-end">
        <Button variant="light" color="red" onClick={() => question.answer(true)}>
          {leave}
        </Button>
        <Button onClick={() => question.answer(false)} data-autofocus>
          {stay}
        </Button>
      </Group>
    </Modal>
  )
}

/** Another page closes the form: links, shortcuts, Back and Forward, and what closes or reloads the tab. */
function useBlockedPages(): void {
  const { history, navigate } = useRouter()
  useBlocker({
    enableBeforeUnload: hasUnsaved,
    async shouldBlockFn({ current, next, action }) {
      // The form stays where only the filters of its page change.
      if (!hasUnsaved() || next.pathname === current.pathname) return false
      if (action === 'PUSH' || action === 'REPLACE') return !(await mayLeaveForm())
      // The browser has gone there already: the address is put right while the question is asked.
      leaveForm(() => {
        if (action === 'BACK') history.back()
        else if (action === 'FORWARD') history.forward()
        else void navigate({ to: next.fullPath, search: next.search as never })
      })
      return true
    },
  })
}

/** The key that led to the question does not answer it. */
function ignoreHeldEnter(event: KeyboardEvent): void {
  if (event.repeat && event.key === 'Enter') event.preventDefault()
}
