import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, onTestFinished, test, vi } from 'vitest'
import { readConfig } from './config.ts'
import { loadOrCreateSecrets, loadSecrets } from './secrets.ts'

const isRoot = process.getuid?.() === 0
/** Root may read and write anything unless it drops these capabilities. */
const AS_OTHERS = ['setpriv', '--bounding-set=-dac_override,-dac_read_search'] as const
const isUnable =
  process.platform === 'win32' || (isRoot && spawnSync(AS_OTHERS[0], [AS_OTHERS[1], 'true']).status !== 0)

async function folder() {
  const path = await mkdtemp(join(tmpdir(), 'parley-data-dir-'))
  onTestFinished(() => rm(path, { recursive: true, force: true }))
  return path
}

/** Starts Parley and waits until it fails. */
async function start(dataDir: string, settings: NodeJS.ProcessEnv = {}, cwd = tmpdir()) {
  const env = { ...process.env, DATABASE_URL: '', PUBLIC_URL: '', HOST: '127.0.0.1', PORT: '0', DATA_DIR: dataDir }
  const program = new URL('../main.ts', import.meta.url).pathname
  const [command, ...args] = [...(isRoot ? AS_OTHERS : []), process.execPath, program] as [string, ...string[]]
  const child = spawn(command, args, { env: { ...env, ...settings }, cwd })
  onTestFinished(() => void child.kill('SIGKILL'))
  const [output, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')])
  return { output, code }
}

test.skipIf(isUnable)('a data folder that is not writable stops startup, with a solution', async () => {
  const parent = await folder()
  await chmod(parent, 0o555)
  for (const dataDir of [parent, join(parent, 'data')]) {
    const { output, code } = await start(dataDir)
    expect(code).toBe(1)
    expect(output).toMatch(
      new RegExp(
        `^User \\S+ can't read and write DATA_DIR \\(${dataDir}\\)\\. Run "mkdir -p ${dataDir} && chown -R \\S+: ${dataDir}" as root, or set DATA_DIR to another folder\\.\n$`,
      ),
    )
  }
})

test.skipIf(isUnable)('a data folder that is not writable stops startup even if only files need it', async () => {
  const dataDir = await folder()
  await chmod(dataDir, 0o555)
  // There is no such database: the folder is checked first.
  const settings = { DATABASE_URL: 'postgres://127.0.0.1:9/none', SECRET: 'x'.repeat(32) }
  const { output, code } = await start(dataDir, settings)
  expect(code).toBe(1)
  expect(output).toMatch(/^User \S+ can't read and write DATA_DIR [^\n]+\n$/)
})

test.skipIf(isUnable)('secrets of another account stop startup, with a solution', async () => {
  const dataDir = await folder()
  await loadOrCreateSecrets(dataDir)
  await chmod(dataDir, 0o777)
  await chmod(join(dataDir, 'secrets.json'), 0)
  const { output, code } = await start(dataDir)
  expect(code).toBe(1)
  expect(output).toMatch(/^User \S+ can't read and write \S+\/secrets\.json in DATA_DIR\. Run "[^\n]+\n$/)
})

test.skipIf(isUnable)('an unreadable .env stops startup', async () => {
  const directory = await folder()
  await chmod(directory, 0o755)
  await writeFile(join(directory, '.env'), 'SIGNUP=invite', { mode: 0 })
  const { output, code } = await start(directory, {}, directory)
  expect(code).toBe(1)
  expect(output).toMatch(/^\S+\/\.env can't be read\. Make it readable for user \S+, or remove it\.\n$/)
})

test('a file in the place of the data folder, or above it, stops startup', async () => {
  const file = join(await folder(), 'file')
  await writeFile(file, '')
  for (const dataDir of [file, join(file, 'data')])
    await expect(loadOrCreateSecrets(dataDir)).rejects.toThrow(
      `${dataDir} can't be a folder, because a file is in its place. Move that file, or set DATA_DIR to another folder.`,
    )
})

test.each(['', '{', '"text"', '{"identity":"x"}', '{"identity":"","database":""}', 'null'])(
  'damaged secrets (%j) stop startup and stay unchanged',
  async (damaged) => {
    const dataDir = await folder()
    const path = join(dataDir, 'secrets.json')
    await writeFile(path, damaged, { mode: 0o600 })
    await expect(loadOrCreateSecrets(dataDir)).rejects.toThrow(
      `${path} is damaged. Put the saved one back; nothing was changed.`,
    )
    expect(await readFile(path, 'utf8')).toBe(damaged)
  },
)

test('a database without its secrets stops startup, and nothing is written', async () => {
  const dataDir = await folder()
  await mkdir(join(dataDir, 'postgres'))
  await writeFile(join(dataDir, 'postgres', 'PG_VERSION'), '18')
  await expect(loadOrCreateSecrets(dataDir)).rejects.toThrow(
    `${dataDir} has a database but no secrets.json. Put the saved one back, or set DATA_DIR to an empty folder; nothing was changed.`,
  )
  expect(await readdir(dataDir)).toEqual(['postgres'])
  // Its password is only in that file.
  const config = readConfig({ DATA_DIR: dataDir, SECRET: 'x'.repeat(32) })
  await expect(loadSecrets(config)).rejects.toThrow('has a database but no secrets.json')
  expect(await readdir(dataDir)).toEqual(['postgres'])
})

test.skipIf(isUnable)('secrets that every account can read cause a warning that doesn’t show them', async () => {
  const dataDir = await folder()
  const path = join(dataDir, 'secrets.json')
  const warn = vi.spyOn(console, 'warn').mockReturnValue()
  onTestFinished(() => warn.mockRestore())
  const { database, identity } = await loadOrCreateSecrets(dataDir)
  await loadOrCreateSecrets(dataDir)
  expect(warn).not.toHaveBeenCalled()
  await chmod(path, 0o644)
  await loadOrCreateSecrets(dataDir)
  const warnings = warn.mock.calls.join()
  expect(warnings).toContain(`${path} can be read by every account of this machine`)
  expect(warnings).toContain(`chmod 600 ${path}`)
  for (const secret of [database, identity]) expect(warnings).not.toContain(secret)
})
