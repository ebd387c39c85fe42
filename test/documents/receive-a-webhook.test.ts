import { spawnSync } from 'node:child_process'
import { it } from 'node:test'
import { itInFull } from '../harness/extent.ts'
import { checkReceiver, receivers } from '../processes/receivers.ts'

it('js: the receiver handles each genuine message once, and refuses others', (t) =>
  checkReceiver(t, 'js'))

for (const [language, { version }] of Object.entries(receivers)) {
  if (language === 'js') continue
  itInFull(
    `${language}: the receiver handles each genuine message once, and refuses others`,
    (t) => {
      const [program, ...args] = version
      if (spawnSync(program, args).status !== 0) return t.skip(`${program} is not installed`)
      return checkReceiver(t, language)
    },
  )
}
