#!/usr/bin/env node
// The command of the package: starts Parley, or runs one of its other commands. Runs on Node 20 or newer.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { COMMAND_FLAGS, home, root, run, serve } from '../run-node.mjs'
import { activeRoot } from '../upgrade/versions.mjs'
import { COMMANDS, columns, describeCommand } from './commands.mjs'

const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
const [first, ...rest] = process.argv.slice(2)
// `parley --demo` is `parley start --demo`.
const [name = 'start', ...args] = first === '--demo' ? ['start', first, ...rest] : process.argv.slice(2)
const active = activeRoot(home)
// The start of another version inherits it.
if (name === 'start' && args.includes('--demo')) process.env['DEMO'] = 'on'
// A version that the command `upgrade` installed has commands of its own.
if (root !== home || active === home) await perform()
else if (name === 'start' && args.every((arg) => arg === '--demo'))
  await serve([join(active, 'scripts/upgrade/launch.mjs')])
else {
  const program = join(active, 'scripts/package/parley.mjs')
  process.exitCode = await run([program, name, ...args], process.env, process.cwd())
}

async function perform() {
  const isHelp = (/** @type {string} */ arg) => arg === '--help' || arg === '-h'
  const asksForHelp = name === 'help' || isHelp(name)
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined
  // `parley help import` is `parley import --help`.
  const asked = asksForHelp ? args[0] : args.some(isHelp) ? name : undefined

  if (asked && Object.hasOwn(COMMANDS, asked))
    console.log(describeCommand(asked, (args) => `parley ${asked} ${args}`.trimEnd()))
  else if (asksForHelp || args.some(isHelp)) console.log(help())
  else if (['version', '--version', '-v'].includes(name)) console.log(`Parley ${version}`)
  else if (name === 'start') await start()
  else if (command)
    process.exitCode = await run(
      [...COMMAND_FLAGS, join(root, `${command.program}.js`), ...args],
      process.env,
      process.cwd(),
    )
  else refuse(`There is no command "${name}".\n\n${help()}`)
}

async function start() {
  const unknown = args.find((arg) => arg !== '--demo')
  if (unknown)
    return refuse(`"start" takes only --demo, but "${unknown}" was given. Settings are environment variables.`)
  await import('../upgrade/launch.mjs')
}

/** @param {string} sentence */
function refuse(sentence) {
  console.error(sentence)
  process.exitCode = 1
}

/** @param {string} name */
function usage(name) {
  return `parley ${name} ${COMMANDS[name]?.argument ?? ''}`.trimEnd()
}

function help() {
  const commands = Object.keys(COMMANDS).map((name) => [usage(name), COMMANDS[name]?.about ?? ''])
  const start = [
    ['parley', 'start Parley, with its data in ./parley-data'],
    ['parley --demo', 'the same, and fill a new workspace with a week of a made-up company'],
  ]
  const others = [
    ['parley help COMMAND', 'list the options of a command'],
    ['parley version', 'print the version'],
  ]
  return `Parley ${version}: team chat with a PostgreSQL inside

${columns([...start, ...commands, ...others])}

Settings are environment variables or lines of a .env file in this folder, such as PORT=8080 or DATA_DIR=/srv/parley.
docs/running/configuration.md in ${root} lists all of them; the other manuals are beside it.`
}
