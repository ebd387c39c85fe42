import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { it } from 'node:test'
import { pathToFileURL } from 'node:url'
import Fastify from 'fastify'
import { registerConsole } from '../../src/console/register-console.ts'
import { openPage } from '../harness/docs-page.ts'
import { sharedBrowser } from '../harness/shared-browser.ts'
import { aDirectory } from '../processes/command.ts'

it('the page that says the console is not built yet is replaced by the console', async (t) => {
  const folder = aDirectory(t)
  const app = Fastify()
  t.after(() => app.close())
  registerConsole(app, {
    environment: 'staging',
    build: undefined,
    folder: pathToFileURL(`${folder}/`),
  })
  const address = await app.listen()
  const browser = await sharedBrowser()
  const { page } = await openPage(browser, `${address}/console/pets`)
  t.after(() => page.context().close())
  await page.getByRole('heading', { name: 'The console is not built yet' }).waitFor()

  mkdirSync(join(folder, 'build'))
  writeFileSync(join(folder, 'build/index.html'), '<h1>Pets</h1>')
  writeFileSync(join(folder, 'manifest.json'), JSON.stringify({ folder: 'build', files: {} }))

  await page.getByRole('heading', { name: 'Pets' }).waitFor()
})
