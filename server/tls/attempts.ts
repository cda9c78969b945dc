import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import * as z from 'zod'
import type { AcmeSource } from '../config/tls-settings.ts'
import { acmeFolder, writeSecretFile } from './certificate.ts'
import type { Attempts } from './renewal-rules.ts'

/** The last day that a Date can have. */
const MAX_TIME = 8.64e15
const Time = z.number().min(0).max(MAX_TIME)
const Stored = z.object({
  failures: z.int().min(1),
  triedAt: Time,
  dueAt: Time,
  waitsUntil: Time,
  error: z.string(),
  isRefusal: z.boolean(),
})

const attemptsPath = (dataDir: string, source: AcmeSource) =>
  join(acmeFolder(dataDir, source), `${source.domain}.attempts.json`)

/** The failed attempts since the last certificate; undefined if there is none. */
export async function readAttempts(dataDir: string, source: AcmeSource): Promise<Attempts | undefined> {
  try {
    return Stored.parse(JSON.parse(await readFile(attemptsPath(dataDir, source), 'utf8')))
  } catch {
    // Missing or damaged: then the next attempt comes a little early.
    return undefined
  }
}

export const storeAttempts = (dataDir: string, source: AcmeSource, attempts: Attempts) =>
  writeSecretFile(attemptsPath(dataDir, source), JSON.stringify(attempts))

export const forgetAttempts = (dataDir: string, source: AcmeSource) =>
  rm(attemptsPath(dataDir, source), { force: true })
