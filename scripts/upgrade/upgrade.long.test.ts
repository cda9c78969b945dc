import { execFile } from 'node:child_process'
import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { freePort } from '../../server/test/support/free-port.ts'
import { signUpClient } from '../../server/test/support/server-process.ts'
import { commandIn, newFolder } from '../package/test/installed-package.ts'
import { openRegistry } from './test/registry.ts'
import { openReleases } from './test/releases.ts'

/** A version that works when it is checked, but not on the port of the workspace. */
const crashing = (program: string) =>
  program.replace(
    /async function announce\(.*\{$/m,
    "$&\nif (process.env.PORT !== '0') throw new Error('crashes on purpose')",
  )

test('a package changes to versions that work, and stays what it is with all others', {
  timeout: 600_000,
}, async () => {
  const [release, registry, folder, installed] = await Promise.all([
    openReleases(),
    openRegistry(),
    newFolder(),
    newFolder(),
  ])
  const npm = { npm_config_registry: registry.address, npm_config_cache: await newFolder(), npm_execpath: '' }
  const install = ['install', '--prefix', installed, '--ignore-scripts', await release('1.0.0')]
  await promisify(execFile)('npm', install, { env: { ...process.env, ...npm } })
  const home = join(installed, 'node_modules/@parley/chat')
  await writeFile(join(home, 'dist/web/assets/of-1.0.0.js'), '// 1.0.0')
  const port = await freePort()
  const settings = { PORT: String(port), LOG_LEVEL: 'info', ...npm }
  const program = join(home, 'scripts/package/parley.mjs')
  const parley = commandIn(folder, program, settings)
  const { address, output, stop } = await parley.start()
  const ada = await signUpClient(address, 'ada')
  const channelId = (await ada.call('GET', '/api/channels')).body.channels[0].id
  await ada.call('POST', '/api/messages', { channelId, content: 'Written in 1.0.0' })
  const upgrade = (...args: string[]) => parley.run('upgrade', ...args)
  const version = async () => (await parley.run('version')).text.trim()
  const isIntact = async () => {
    const { body } = await ada.call('GET', `/api/messages/channel/${channelId}`)
    expect(JSON.stringify(body)).toContain('Written in 1.0.0')
  }

  const migration = () => 'export async function up(db) { await db.schema.createTable("novelties").execute() }'
  const works = await upgrade(await release('1.1.0', { 'server/db/migrations/9000-novelties.js': migration }))
  expect(works).toEqual({ isDone: true, text: expect.stringMatching(/Parley 1\.1\.0-\w{7} is running\.\n$/) })
  expect(output()).toMatch(/Upgraded Parley from 1\.0\.0 to 1\.1\.0-\w{7}; migrations: 9000-novelties\.\n/)
  expect(await version()).toBe('Parley 1.1.0')
  // For pages that are open.
  expect(await (await fetch(`${address}/assets/of-1.0.0.js`)).text()).toBe('// 1.0.0')
  await isIntact()

  const blank = {
    'dist/web/index.html': (text: string) => text.replace('/assets/', '/assets/no-'),
    'dist/web/index.html.br': () => undefined,
    'dist/web/index.html.gz': () => undefined,
  }
  const page = await upgrade(await release('1.2.0', blank))
  expect(page).toEqual({
    isDone: false,
    text: expect.stringContaining("The new version doesn't work here: /assets/no-"),
  })

  const breaking = () => `export const floor = '9001-breaking'
    export async function up(db) {
      await db.schema.alterTable('messages').renameColumn('content', 'words').execute()
    }`
  const crashes = await upgrade(
    await release('1.3.0', { 'server/db/migrations/9001-breaking.js': breaking, 'server/main.js': crashing }),
  )
  expect(crashes).toEqual({
    isDone: false,
    text: expect.stringMatching(/Parley 1\.3\.0-\w+ stopped with code 1 at its start\. Parley 1\.1\.0-\w+ runs again/),
  })
  await isIntact()

  registry.failAfter(2)
  const unfinished = await commandIn(folder, program, {
    ...settings,
    npm_config_cache: await newFolder(),
    npm_config_fetch_retries: '0',
  }).run('upgrade', await release('1.4.0'))
  expect(unfinished).toEqual({ isDone: false, text: expect.stringContaining(' not changed.') })
  expect((await readdir(join(home, 'versions'))).filter((name) => /^\d|unfinished/.test(name))).toHaveLength(1)
  expect(await version()).toBe('Parley 1.1.0')
  await isIntact()

  expect(await upgrade('--back')).toEqual({ isDone: true, text: expect.stringContaining('Parley 1.0.0 is running.') })
  expect(await version()).toBe('Parley 1.0.0')
  await isIntact()

  // While Parley is stopped, the next start does it.
  await stop()
  for (const _ of ['once', 'and again'])
    expect(await upgrade('--back')).toEqual({ isDone: true, text: expect.stringContaining('No Parley answers') })
  const again = await parley.start()
  await expect.poll(again.output).toMatch(/Upgraded Parley from 1\.0\.0 to 1\.1\.0-\w+; migrations: none\./)
  await isIntact()
})
