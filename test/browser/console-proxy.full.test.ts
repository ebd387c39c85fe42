import assert from 'node:assert/strict'
import { it } from 'node:test'
import { startPetstore } from '../../src/start-petstore.ts'
import { buildConsole, openConsole, rowOf, signIn } from '../harness/console-page.ts'
import { buttonOn, fieldOn } from '../harness/console-state.ts'
import { sharedBrowser } from '../harness/shared-browser.ts'
import { until } from '../harness/until.ts'
import { freePort } from '../processes/command.ts'
import { runNginx, skipWithout } from '../processes/nginx.ts'

it('the console edits a pet behind an nginx that compresses JSON', {
  skip: skipWithout('nginx'),
}, async (t) => {
  await using store = await startPetstore({ seed: 20 })
  await buildConsole()
  const port = await freePort()
  const origin = `http://127.0.0.1:${port}`
  runNginx(
    t,
    `server {
      listen 127.0.0.1:${port};
      gzip on;
      gzip_types application/json;
      location / {
        proxy_pass ${new URL(store.baseUrl).origin};
        proxy_set_header Host $http_host;
      }
    }`,
  )
  const get = () =>
    fetch(`${origin}/v1/pets?id=5`, { headers: { authorization: `Bearer ${store.key}` } })
  await until(() => get().then(Boolean, () => false))
  assert.match((await get()).headers.get('etag') ?? '', /^W\//)
  const { page } = await openConsole(await sharedBrowser(), { origin, path: 'console/pets' })
  t.after(() => page.context().close())
  await signIn(page, store.key)

  await rowOf(page, 5).click()
  await fieldOn(page, 'Name').fill('Behind a proxy')
  await buttonOn(page, 'Save').click()
  await page.getByText('Pet 5 was saved.').waitFor()

  assert.match(await (await get()).text(), /Behind a proxy/)
})
