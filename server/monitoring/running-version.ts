import type { FastifyInstance } from 'fastify'
import * as z from 'zod'
import { HOME, VERSION_NAME } from '../installation.ts'
import { requireCommand } from './command-token.ts'
import { unlimited } from './health.ts'

/** Outside of `/api`: for the command `upgrade` only. */
export const RUNNING_VERSION_PATH = '/healthz/version'

export const RunningVersion = z.object({
  name: z.string(),
  /** The folder of its installation. */
  home: z.string(),
  /** Tells two starts of the same version apart: the same in all of its processes. Unix time in milliseconds. */
  startedAt: z.number(),
  /** Whether it changes to another version when the installation names one: not if it was started without a launcher. */
  isLaunched: z.boolean(),
  /** Why it runs again instead of the version it was to be upgraded to. */
  upgradeProblem: z.optional(z.string()),
})
export type RunningVersion = z.output<typeof RunningVersion>

/** Mounts the answer to the command `upgrade`. For everybody else it does not exist. */
export default async function runningVersion(app: FastifyInstance) {
  app.get(RUNNING_VERSION_PATH, unlimited, async (request, reply): Promise<RunningVersion> => {
    requireCommand(request, reply)
    const { PARLEY_LAUNCHER, PARLEY_STARTED_AT, PARLEY_UPGRADE_PROBLEM } = process.env
    return {
      name: VERSION_NAME,
      home: HOME,
      startedAt: Number(PARLEY_STARTED_AT ?? 0),
      isLaunched: PARLEY_LAUNCHER !== undefined,
      upgradeProblem: PARLEY_UPGRADE_PROBLEM,
    }
  })
}
