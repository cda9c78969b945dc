import { basename, extname } from 'node:path'
import { parseArgs } from 'node:util'
import { type Config, readConfig, readDotEnv } from '../server/config/config.ts'
import { findMisspelt } from '../server/config/misspelt-settings.ts'
import { StartError } from '../server/config/start-error.ts'
import { connectionProblem } from '../server/db/connection-problem.ts'
import { AppError } from '../server/errors.ts'
import { commandLine } from '../server/installation.ts'
import { COMMANDS, describeCommand } from './package/commands.mjs'

type Flags = Record<string, { type: 'boolean' | 'string' }>

/** Runs a command with its arguments, and prints expected errors as a sentence. */
export async function runCommand(
  flags: Flags,
  act: (config: Config, values: Record<string, string | boolean | undefined>, name?: string) => Promise<void>,
) {
  let connections = 0
  // A closed terminal or pipe must not end a command before it has removed what is temporary.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})
  try {
    readDotEnv()
    const { values, positionals } = readArguments(flags)
    if (values['help']) {
      console.log(describeOwn())
      process.exit()
    }
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
  const options = { ...flags, help: { type: 'boolean', short: 'h' } } as const
  try {
    requireOwnOptions(flags)
    const read = parseArgs({ options, allowPositionals: true })
    const extra = read.positionals.slice(describedArgument() === undefined ? 0 : 1)
    if (extra.length > 0) throw new Error(`Unknown argument "${extra[0]}".`)
    return read
  } catch (error) {
    throw new StartError(`${(error as Error).message.split(/\.\s/)[0]?.replace(/\.?$/, '.')} --help lists the options.`)
  }
}

/** What npm makes of an option that it shortens one of its own by. */
const NPM_NAMES: Record<string, string> = { to: 'token_description' }
/** npm has an option of this name, which a file of settings may set. Without it, the command asks. */
const OF_NPM = 'yes'

/** npm takes the options before `--` for its own. @throws Error */
function requireOwnOptions(flags: Flags) {
  const taken = Object.keys(flags).find((flag) => {
    const name = flag.replaceAll('-', '_')
    return flag !== OF_NPM && [name, NPM_NAMES[name]].some((it) => it && process.env[`npm_config_${it}`] !== undefined)
  })
  if (taken) throw new Error(`npm took the option --${taken} for its own: put "--" before the options.`)
}

const ownName = () => basename(process.argv[1] ?? '', extname(process.argv[1] ?? ''))

/** The argument of this command; '' if it is only for other programs. */
const describedArgument = () => (ownName() in COMMANDS ? COMMANDS[ownName()]?.argument : '')

const describeOwn = () => describeCommand(ownName(), (args) => commandLine(ownName(), args))

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
