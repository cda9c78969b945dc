import { existsSync, globSync, readFileSync } from 'node:fs'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import sharp from 'sharp'
import { beforeAll, expect, test } from 'vitest'
import { freePort } from '../../server/test/support/free-port.ts'
import { signUpClient } from '../../server/test/support/server-process.ts'
import { root } from '../run-node.mjs'
import { COMMANDS } from './commands.mjs'
import { commandIn, installPackage, newFolder } from './test/installed-package.ts'

let program: string
beforeAll(async () => {
  program = (await installPackage()).program
})

test('starts in an empty folder, with its data and its settings there', async () => {
  const folder = await newFolder()
  const parley = commandIn(folder, program)
  const port = await freePort()
  await writeFile(join(folder, '.env'), `PORT=${port}\n`)
  expect(await parley.run('health')).toEqual({
    isDone: false,
    text: `Parley doesn't answer at 127.0.0.1, port ${port}: ECONNREFUSED.\n`,
  })
  const { address, stop } = await parley.start()
  expect(await parley.run('health')).toEqual({ isDone: true, text: 'Parley is ready.\n' })
  const ada = await signUpClient(address, 'ada')
  const { body } = await ada.call('GET', '/api/channels')
  const said = await ada.call('POST', '/api/messages', { channelId: body.channels[0].id, content: 'Hello' })
  expect(said).toMatchObject({ status: 201, body: { content: 'Hello' } })
  await stop()
  expect(await readdir(folder)).toEqual(['.env', 'parley-data'])
})

test('contains what its libraries look for at runtime: native code, and files of their own', async () => {
  const { address } = await commandIn(await newFolder(), program, { PORT: '0' }).start()
  const ada = await signUpClient(address, 'ada')
  const { body } = await ada.call('GET', '/api/channels')
  const picture = await sharp({ create: { width: 900, height: 600, channels: 3, background: 'teal' } })
    .png()
    .toBuffer()
  const form = new FormData()
  form.append('channelId', body.channels[0].id)
  form.append('file', new Blob([new Uint8Array(picture)]), 'teal.png')
  const headers = { authorization: `Bearer ${ada.token}` }
  const uploaded = await fetch(`${address}/api/files/upload`, { method: 'POST', headers, body: form })
  expect(await uploaded.json()).toMatchObject({ width: 900, height: 600 })

  for (const path of ['/api/docs', '/api/docs/static/swagger-ui.css', '/api/openapi.json'])
    expect([path, (await fetch(address + path)).status]).toEqual([path, 200])
})

test('the links of its manuals lead to files', () => {
  const folder = dirname(dirname(dirname(program)))
  const pages = globSync('**/*.md', { cwd: folder, exclude: (name) => name === 'CHANGELOG.md' })
  expect(pages.length).toBeGreaterThan(50)
  const broken = pages.flatMap((page) =>
    [...readFileSync(join(folder, page), 'utf8').matchAll(/\]\(([^)#\s]+)/g)]
      .map(([, target = '']) => target)
      .filter((target) => !/^\w+:/.test(target) && !existsSync(join(folder, dirname(page), target)))
      .map((target) => `${page}: ${target}`),
  )
  expect(broken).toEqual([])
})

test('lists its commands, which are those of a clone', async () => {
  const { run } = commandIn(await newFolder(), program)
  const { version, scripts } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'))
  expect(await run('version')).toEqual({ isDone: true, text: `Parley ${version}\n` })
  const { text } = await run('--help')
  for (const name of Object.keys(COMMANDS)) expect(text).toContain(`\n  parley ${name} `)
  for (const args of [
    ['help', 'restore'],
    ['restore', '--help'],
  ])
    expect(await run(...args)).toMatchObject({ isDone: true, text: expect.stringContaining('--replace') })

  const inClone = Object.entries<string>(scripts).flatMap(([name, script]) => {
    const [, path] = /^node scripts\/run\.mjs (.*)\.ts$/.exec(script) ?? []
    return path ? [[name, path]] : []
  })
  const inPackage = Object.entries(COMMANDS).map(([name, command]) => [name, command.program])
  expect(inPackage.sort()).toEqual(inClone.sort())
})

test.each(Object.entries(COMMANDS))('the help of %s lists the options of its program', async (_, command) => {
  const { program, flags = {} } = command as { program: string; flags?: Record<string, string> }
  const source = await readFile(join(root, `${program}.ts`), 'utf8')
  const options = [...source.matchAll(/'?([\w-]+)'?: \{ type: '(boolean|string)' \}/g)].map(([, name, type]) => [
    name,
    type,
  ])
  const listed = Object.keys(flags).map((flag) => {
    const [name, value] = flag.replace('--', '').split('=')
    return [name, value ? 'string' : 'boolean']
  })
  expect(listed.sort()).toEqual(options.sort())
})

test.each([
  [['strat'], 'There is no command "strat".'],
  [['toString'], 'There is no command "toString".'],
  [['start', '--port=80'], '"start" takes only --demo, but "--port=80" was given.'],
  [['import'], 'Say which archive: parley import FILE.'],
  [['backup', '--wrong'], "Unknown option '--wrong'"],
  [['backup', '--to=here'], 'There is no workspace in '],
  [['export', '--all'], 'There is no workspace in '],
  [['upgrade'], 'Say to which version: parley upgrade VERSION.'],
  [['upgrade', 'v0.3.0'], 'Give the file of a package'],
  [['upgrade', 'missing.tgz'], 'There is no file '],
  [['upgrade', '--back'], 'There is no version to go back to.'],
  [['upgrade', 'x.tgz', '--ready-within=soon'], '--ready-within is a number of minutes'],
  [['reset-password', 'ada'], 'There is no workspace in '],
])('refuses `parley %j`', async (args, sentence) => {
  const folder = await newFolder()
  const answer = await commandIn(folder, program).run(...args)
  expect(answer).toEqual({ isDone: false, text: expect.stringContaining(sentence) })
  expect(answer.text).not.toContain('    at ')
  expect(await readdir(folder)).toEqual([])
})
