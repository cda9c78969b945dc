import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { cp, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { assemblePackage } from '../../package/assemble-package.ts'
import { newFolder } from '../../package/test/installed-package.ts'
import { root } from '../../run-node.mjs'

/** Makes packages of later versions from this one. */
export async function openReleases() {
  const built = await newFolder()
  await assemblePackage(built, [])
  const client = join(root, 'dist/web')
  if (existsSync(client)) await cp(client, join(built, 'dist/web'), { recursive: true })

  /** @param files what differs in it, by their paths: another text, or none @returns the file of the package */
  return async (version: string, files: Record<string, (text: string) => string | undefined> = {}): Promise<string> => {
    const folder = await newFolder()
    await cp(built, folder, { recursive: true })
    const setVersion = (text: string) => JSON.stringify({ ...JSON.parse(text), version })
    for (const [path, change] of Object.entries({ 'package.json': setVersion, ...files })) {
      const file = join(folder, path)
      const text = change(await readFile(file, 'utf8').catch(() => ''))
      await (text === undefined ? rm(file) : writeFile(file, text))
    }
    execFileSync('npm', ['pack', '--silent', '--pack-destination', folder], { cwd: folder })
    return join(folder, `parley-chat-${version}.tgz`)
  }
}
