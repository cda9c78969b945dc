import * as account from './account.ts'
import * as administration from './administration.ts'
import * as assistant from './assistant.ts'
import * as audit from './audit.ts'
import * as availability from './availability.ts'
import * as avatars from './avatars.ts'
import * as changes from './changes.ts'
import * as flags from './channel-flags.ts'
import * as channels from './channels.ts'
import * as customEmoji from './custom-emoji.ts'
import * as email from './email.ts'
import type { AnyEndpoint } from './endpoint.ts'
import * as exports from './exports.ts'
import * as files from './files.ts'
import * as groups from './groups.ts'
import * as handover from './handover.ts'
import * as imports from './imports.ts'
import * as invites from './invites.ts'
import * as later from './later.ts'
import * as linkPreviews from './link-previews.ts'
import * as mailRules from './mail-rules.ts'
import * as managedChannels from './managed-channels.ts'
import * as members from './members.ts'
import * as messageVersions from './message-versions.ts'
import * as messages from './messages.ts'
import * as moderation from './moderation.ts'
import * as notifications from './notifications.ts'
import * as passkeys from './passkeys.ts'
import * as password from './password.ts'
import * as permissions from './permission-table.ts'
import * as personCards from './person-cards.ts'
import * as pins from './pins.ts'
import * as provisioning from './provisioning.ts'
import * as push from './push.ts'
import * as reactions from './reactions.ts'
import * as reading from './read-cursors.ts'
import * as retention from './retention.ts'
import * as scheduledMessages from './scheduled-messages.ts'
import * as search from './search.ts'
import * as secondFactorDemand from './second-factor-demand.ts'
import * as sessions from './sessions.ts'
import * as speech from './speech.ts'
import * as threads from './threads.ts'
import * as twoFactor from './two-factor.ts'
import * as users from './users.ts'
import * as welcome from './welcome.ts'
import * as workspace from './workspace.ts'

const isCall = (exported: unknown): exported is AnyEndpoint =>
  typeof exported === 'object' && exported !== null && 'method' in exported && 'path' in exported

/** Every endpoint by name, grouped by noun; used by the documentation and by tests that cover all of them. */
export const calls: Record<string, Record<string, AnyEndpoint>> = Object.fromEntries(
  Object.entries({
    channels,
    members,
    flags,
    messages,
    threads,
    reactions,
    pins,
    later,
    scheduledMessages,
    linkPreviews,
    messageVersions,
    customEmoji,
    reading,
    changes,
    users,
    avatars,
    personCards,
    availability,
    groups,
    welcome,
    files,
    search,
    sessions,
    password,
    account,
    twoFactor,
    passkeys,
    secondFactorDemand,
    email,
    mailRules,
    notifications,
    push,
    invites,
    workspace,
    handover,
    permissions,
    managedChannels,
    moderation,
    provisioning,
    administration,
    audit,
    exports,
    imports,
    retention,
    assistant,
    speech,
  }).map(([noun, contract]) => [
    noun,
    Object.fromEntries(Object.entries(contract).filter((entry): entry is [string, AnyEndpoint] => isCall(entry[1]))),
  ]),
)
