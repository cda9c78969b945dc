#!/usr/bin/env node
// The command of the package: starts Parley, or runs one of its other commands. Runs on Node 20 or newer.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { become, root, run, SERVER } from '../run-node.mjs'
import { COMMANDS } from './commands.mjs'

const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
const [name = 'start', ...args] = process.argv.slice(2)
const isHelp = (/** @type {string} */ arg) => arg === '--help' || arg === '-h'
const asksForHelp = name === 'help' || isHelp(name)
const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined
// `parley help import` is `parley import --help`.
const asked = asksForHelp ? args[0] : args.some(isHelp) ? name : undefined

if (asked && Object.hasOwn(COMMANDS, asked)) console.log(describe(asked))
else if (asksForHelp || args.some(isHelp)) console.log(help())
else if (['version', '--version', '-v'].includes(name)) console.log(`Parley ${version}`)
else if (name === 'start') await start()
else if (command)
  process.exitCode = await run([join(root, `${command.program}.js`), ...args], process.env, process.cwd())
else refuse(`There is no command "${name}".\n\n${help()}`)

async function start() {
  const [unknown] = args
  if (unknown)
    return refuse(`"start" takes no arguments, but "${unknown}" was given. Settings are environment variables.`)
  const server = [...SERVER.slice(0, -1), join(root, 'server/main.js')]
  // The data and .env are in the folder in which the command was given.
  const cwd = process.cwd()
  become(server, cwd)
  process.exitCode = await run(server, process.env, cwd)
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

/** @param {string} name */
function describe(name) {
  const { about, flags = {} } = COMMANDS[name] ?? {}
  return `${usage(name)}${Object.keys(flags).length > 0 ? ' [OPTIONS]' : ''}\n\n  ${about}\n\n${columns(Object.entries(flags))}`.trimEnd()
}

function help() {
  const commands = Object.keys(COMMANDS).map((name) => [usage(name), COMMANDS[name]?.about ?? ''])
  const start = ['parley', 'start Parley, with its data in ./parley-data']
  const others = [
    ['parley help COMMAND', 'list the options of a command'],
    ['parley version', 'print the version'],
  ]
  return `Parley ${version}: team chat with a PostgreSQL inside

${columns([start, ...commands, ...others])}

Settings are environment variables or lines of a .env file in this folder, such as PORT=8080 or DATA_DIR=/srv/parley.
README.md in ${root} lists all of them, and docs/ has the manuals.`
}

/** @param {string[][]} rows of two cells */
function columns(rows) {
  const width = Math.max(...rows.map(([left = '']) => left.length))
  return rows.map(([left = '', right]) => `  ${left.padEnd(width)}  ${right}`).join('\n')
}
