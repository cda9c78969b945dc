import * as assistant from './assistant.ts'
import * as changes from './changes.ts'
import * as flags from './channel-flags.ts'
import * as channels from './channels.ts'
import type { AnyEndpoint } from './endpoint.ts'
import * as files from './files.ts'
import * as invites from './invites.ts'
import * as members from './members.ts'
import * as messages from './messages.ts'
import * as reactions from './reactions.ts'
import * as reading from './reading.ts'
import * as search from './search.ts'
import * as sessions from './sessions.ts'
import * as speech from './speech.ts'
import * as threads from './threads.ts'
import * as users from './users.ts'
import * as welcome from './welcome.ts'
import * as workspace from './workspace.ts'

const isCall = (exported: unknown): exported is AnyEndpoint =>
  typeof exported === 'object' && exported !== null && 'method' in exported && 'path' in exported

/** Every call there is, by its name, under the noun it belongs to: for the documentation, and for tests of them all. */
export const calls: Record<string, Record<string, AnyEndpoint>> = Object.fromEntries(
  Object.entries({
    channels,
    members,
    flags,
    messages,
    threads,
    reactions,
    reading,
    changes,
    users,
    welcome,
    files,
    search,
    sessions,
    invites,
    workspace,
    assistant,
    speech,
  }).map(([noun, contract]) => [
    noun,
    Object.fromEntries(Object.entries(contract).filter((entry): entry is [string, AnyEndpoint] => isCall(entry[1]))),
  ]),
)
