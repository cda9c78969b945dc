import { parseArgs } from 'node:util'
import { type Config, readConfig, readDotEnv } from '../server/config/config.ts'
import { findMisspelt } from '../server/config/misspelt-settings.ts'
import { StartError } from '../server/config/start-error.ts'
import { connectionProblem } from '../server/db/connection-problem.ts'
import { AppError } from '../server/errors.ts'

type Flags = Record<string, { type: 'boolean' | 'string' }>

/** Runs a command with its arguments, and prints expected errors as a sentence. */
export async function runCommand(
  flags: Flags,
  act: (config: Config, values: Record<string, string | boolean | undefined>, name?: string) => Promise<void>,
) {
  let connections = 0
  try {
    readDotEnv()
    const { values, positionals } = readArguments(flags)
    for (const sentence of findMisspelt(process.env)) console.warn(sentence)
    const config = readConfig(process.env)
    connections = config.databaseConnections.total
    await act(config, values as Record<string, string | boolean | undefined>, positionals[0])
  } catch (error) {
    const problem = connectionProblem(error, connections) ?? error
    const isSentence = problem instanceof StartError || problem instanceof AppError
    console.error(isSentence ? problem.message : problem)
    process.exitCode = 1
  }
  // A failed command may have left something open.
  process.exit()
}

function readArguments(flags: Flags) {
  try {
    return parseArgs({ options: flags, allowPositionals: true })
  } catch (error) {
    throw new StartError((error as Error).message)
  }
}

/** For commands that have something to end first: they are asked to stop once; repeats are ignored. */
export function listenForStop(onStop = () => {}) {
  const stopping = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.on(signal, () => {
      if (!stopping.signal.aborted) onStop()
      stopping.abort()
    })
  return stopping
}
