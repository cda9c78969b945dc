import { readFileSync } from 'node:fs'

/** The Node.js arguments by which `npm start` starts the server. */
export const SERVER_COMMAND: string[] = JSON.parse(
  readFileSync(new URL('../../../scripts/server-command.json', import.meta.url), 'utf8'),
).map((arg: string) => (arg.startsWith('-') ? arg : `${arg}.ts`))
