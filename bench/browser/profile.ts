import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium, type Page } from '@playwright/test'
import type { Pool } from 'pg'

/** The workspace to measure in. */
export interface PopulatedServer {
  address: string
  /** The first channel has 100,000 messages. */
  channels: string[]
  /** The reader's username. */
  reader: string
  /** Tokens of others. */
  speakers: string[]
  pool: Pool
}

/** A signed-in browser with empty caches. */
export async function openProfile({ address, reader }: PopulatedServer) {
  const folder = await mkdtemp(join(tmpdir(), 'parley-browser-'))
  const context = await chromium.launchPersistentContext(folder, {
    viewport: { width: 1440, height: 900 },
    ...(process.env['CHROMIUM_PATH'] && { executablePath: process.env['CHROMIUM_PATH'] }),
    args: ['--disable-gpu', '--no-first-run', '--disable-background-networking', '--disable-component-update'],
  })
  const answer = await context.request.post(`${address}/api/auth/sign-in/username`, {
    data: { username: reader, password: 'correct horse' },
    headers: { origin: address },
  })
  if (!answer.ok()) throw new Error(`Could not sign in: ${await answer.text()}`)
  const close = async () => {
    await context.close()
    await rm(folder, { recursive: true, force: true })
  }
  return { context, close }
}

/** Throttles the page's CPU. */
export async function slow(page: Page, rate: number) {
  const session = await page.context().newCDPSession(page)
  await session.send('Emulation.setCPUThrottlingRate', { rate })
  return session
}

/** A percentile of sorted values. */
export function quantile(values: number[], share: number) {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}

export const median = (values: number[]) => quantile(values, 0.5)
