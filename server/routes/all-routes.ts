import administration from './admin/administration.ts'
import audit from './admin/audit.ts'
import demo from './admin/demo.ts'
import exports from './admin/exports.ts'
import imports from './admin/imports.ts'
import managedChannels from './admin/managed-channels.ts'
import permissions from './admin/permissions.ts'
import provisioning from './admin/provisioning.ts'
import reports from './admin/reports.ts'
import retentionRules from './admin/retention.ts'
import workspaceSettings from './admin/workspace-settings.ts'
import changes from './channels/changes.ts'
import channels from './channels/channels.ts'
import flags from './channels/flags.ts'
import members from './channels/members.ts'
import posters from './channels/posters.ts'
import reading from './channels/read-cursors.ts'
import workspace from './channels/workspace.ts'
import files from './files/files.ts'
import assistant from './messages/assistant.ts'
import later from './messages/later.ts'
import linkPreviews from './messages/link-previews.ts'
import messageVersions from './messages/message-versions.ts'
import messages from './messages/messages.ts'
import pins from './messages/pins.ts'
import reactions from './messages/reactions.ts'
import scheduledMessages from './messages/scheduled-messages.ts'
import speech from './messages/speech.ts'
import threads from './messages/threads.ts'
import account from './people/account.ts'
import availability from './people/availability.ts'
import avatars from './people/avatars.ts'
import blocks from './people/blocks.ts'
import cards from './people/cards.ts'
import customEmoji from './people/custom-emoji.ts'
import email from './people/email.ts'
import groups from './people/groups.ts'
import handover from './people/handover.ts'
import invites from './people/invites.ts'
import limitsOfPeople from './people/limits.ts'
import mailRules from './people/mail-rules.ts'
import notificationSettings from './people/notification-settings.ts'
import passkeys from './people/passkeys.ts'
import password from './people/password.ts'
import push from './people/push.ts'
import secondFactorDemand from './people/second-factor-demand.ts'
import sessionList from './people/sessions.ts'
import twoFactor from './people/two-factor.ts'
import users from './people/users.ts'
import welcome from './people/welcome.ts'
import search from './search/search.ts'

/** The routes of signed-in users. */
export const routes = [
  channels,
  members,
  posters,
  flags,
  messages,
  threads,
  reactions,
  linkPreviews,
  messageVersions,
  later,
  scheduledMessages,
  pins,
  reading,
  changes,
  users,
  avatars,
  customEmoji,
  availability,
  cards,
  groups,
  welcome,
  files,
  search,
  sessionList,
  password,
  twoFactor,
  passkeys,
  secondFactorDemand,
  handover,
  account,
  email,
  mailRules,
  notificationSettings,
  push,
  invites,
  workspace,
  workspaceSettings,
  demo,
  limitsOfPeople,
  blocks,
  permissions,
  managedChannels,
  reports,
  provisioning,
  administration,
  audit,
  exports,
  imports,
  retentionRules,
  assistant,
  speech,
]
