import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { StartError } from '../../server/config/start-error.ts'
import { tryParley } from '../trial.ts'

/**
 * Starts a version in an empty folder, with a database of its own, and looks at its page.
 * @param root its folder with package.json
 * @param stop clears away what was started
 * @throws StartError with what it said, if it doesn't work on this machine
 */
export async function checkVersion(root: string, stop: AbortSignal) {
  const folder = await mkdtemp(join(tmpdir(), 'parley-check-'))
  try {
    await tryParley({ root, folder, stop }, checkPage)
  } catch (error) {
    throw new StartError(`The new version doesn't work here: ${(error as Error).message}`)
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 5 })
  }
}

/** @throws unless the page and all that it names are there */
async function checkPage(address: string) {
  const page = await read(address, '/')
  const parts = [...page.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].map(([, path = '']) => path)
  if (parts.length === 0) throw new Error('its page is empty')
  for (const path of ['/readyz', ...parts]) await read(address, path)
}

async function read(address: string, path: string): Promise<string> {
  const response = await fetch(address + path)
  if (!response.ok) throw new Error(`${path} answers ${response.status}`)
  return response.text()
}
