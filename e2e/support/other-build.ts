import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * This program with another build of the web client: each script has another name, so its service worker and its document differ
 * too. It has no files of the first build, as after an upgrade of the package.
 */
export async function createOtherBuild() {
  const here = process.cwd()
  const root = await mkdtemp(join(tmpdir(), 'parley-other-build-'))
  await symlink(join(here, 'node_modules'), join(root, 'node_modules'), 'junction')
  for (const name of ['package.json', 'server', 'contract', 'languages', 'scripts'])
    await cp(join(here, name), join(root, name), { recursive: true })
  await copyClient(join(here, 'dist/web'), join(root, 'dist/web'))
  return { root, remove: () => rm(root, { recursive: true, force: true }) }
}

async function copyClient(from: string, to: string) {
  const read = (name: string) => readFile(join(from, name), 'utf8')
  await mkdir(join(to, 'assets'), { recursive: true })
  const worker = await read('service-worker.js')
  const assets = [...new Set(worker.match(/assets\/[\w.-]+\.(js|css|woff2)|icon[\w-]*\.svg/g))]
  const renamed = new Map(
    assets.filter((name) => name.endsWith('.js')).map((name) => [base(name), otherName(base(name))]),
  )
  const names = new RegExp([...renamed.keys()].map((name) => name.replaceAll('.', '\\.')).join('|'), 'g')
  const rename = (text: string) => text.replace(names, (name) => renamed.get(name) ?? name)
  for (const name of ['index.html', 'service-worker.js', ...assets]) {
    if (/\.(html|js)$/.test(name)) await writeFile(join(to, rename(name)), rename(otherDigest(await read(name))))
    else await cp(join(from, name), join(to, name))
  }
}

const base = (name: string) => name.slice('assets/'.length)

/** With a different hash. */
const otherName = (name: string) =>
  name.replace(/-([\w-])([\w-]{7}\.js)$/, (_, first, rest) => `-${first === 'Z' ? 'Y' : 'Z'}${rest}`)

/** The service worker names its cache by a digest. */
const otherDigest = (text: string) => text.replace(/\b[0-9a-f]{16}\b/, 'other')
