import type { ReactNode } from 'react'
import { useSession } from '../api/session.ts'
import classes from './session-gate.module.css'
import { SignIn } from './sign-in.tsx'

/**
 * Shows the pages once signed in. When the service rejects the key, they stay in place, hidden, with all that was typed, until
 * another key is entered.
 */
export function SessionGate({ children }: { children: ReactNode }) {
  const session = useSession()
  if (session === undefined) return <SignIn />
  const isEnded = session.endedBecause !== undefined
  return (
    <>
      <div className={isEnded ? classes.hidden : classes.shown} inert={isEnded}>
        {children}
      </div>
      {isEnded && (
        <div className={classes.over}>
          <SignIn endedBecause={session.endedBecause} />
        </div>
      )}
    </>
  )
}
