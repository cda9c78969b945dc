import type { ReactNode } from 'react'
import { Link } from 'react-router'
import type { AuditEntry, AuditKind } from '#contract/audit'
import type { NotificationLevel } from '#contract/notification-rule'
import { rich, t } from '../../i18n/text.ts'
import { paths } from '../../paths.ts'
import { levelName } from '../../people/level-choice.tsx'
import { permissionName } from '../../people/permission-names.ts'
import { shownName } from '../../people/shown-name.ts'
import { signUpName } from '../../people/sign-up-names.ts'

interface Parts {
  actor: ReactNode
  person: ReactNode
  channel: ReactNode
  has: Pick<AuditEntry, 'person'>
  detail: (name: string) => string
  count: (name: string) => number
}

const signInTexts: Partial<Record<string, 'audit.did.signedInByRecovery' | 'audit.did.signedInByPasskey'>> = {
  'recovery-code': 'audit.did.signedInByRecovery',
  passkey: 'audit.did.signedInByPasskey',
}

const sentences: Record<AuditKind, (parts: Parts) => ReactNode> = {
  signed_in: ({ actor, detail }) => rich(signInTexts[detail('by')] ?? 'audit.did.signedIn', { actor }),
  sign_in_refused: ({ person, has }) =>
    has.person ? rich('audit.did.signInRefused', { person }) : t('audit.did.signInRefusedUnknown'),
  sessions_ended: ({ actor, count }) => rich('audit.did.sessionsEnded', { actor, count: count('count') }),
  provider_signed_out: ({ person, count }) => rich('audit.did.providerSignedOut', { person, count: count('count') }),
  provisioning_token_created: ({ actor, detail }) => rich('audit.did.tokenCreated', { actor, token: detail('token') }),
  provisioning_token_revoked: ({ actor, detail }) => rich('audit.did.tokenRevoked', { actor, token: detail('token') }),
  person_provided: ({ person, detail }) => rich('audit.did.personProvided', { person, token: detail('token') }),
  password_changed: ({ actor }) => rich('audit.did.passwordChanged', { actor }),
  password_link_created: ({ actor, person, detail }) =>
    detail('endsSecondFactor')
      ? rich('audit.did.recoveryLinkCreated', { actor, person })
      : rich('audit.did.passwordLinkCreated', { actor, person }),
  password_link_mailed: ({ person }) => rich('audit.did.passwordLinkMailed', { person }),
  email_changed: ({ actor }) => rich('audit.did.emailChanged', { actor }),
  password_reset: ({ actor }) => rich('audit.did.passwordReset', { actor }),
  two_factor_on: ({ actor }) => rich('audit.did.twoFactorOn', { actor }),
  two_factor_off: ({ actor }) => rich('audit.did.twoFactorOff', { actor }),
  two_factor_removed: ({ actor, person }) => rich('audit.did.twoFactorRemoved', { actor, person }),
  second_factor_demanded: ({ actor, detail, count }) => {
    if (detail('isDemanded') !== 'true') return rich('audit.did.secondFactorOptional', { actor })
    return detail('days')
      ? rich('audit.did.secondFactorAnnounced', { actor, days: count('days') })
      : rich('audit.did.secondFactorDemanded', { actor })
  },
  passkey_added: ({ actor }) => rich('audit.did.passkeyAdded', { actor }),
  passkey_removed: ({ actor }) => rich('audit.did.passkeyRemoved', { actor }),
  recovery_codes_renewed: ({ actor }) => rich('audit.did.recoveryCodesRenewed', { actor }),
  person_joined: ({ actor, person, has }) =>
    has.person ? rich('audit.did.joinedByInvite', { actor, person }) : rich('audit.did.joined', { actor }),
  person_deactivated: ({ actor, person }) => rich('audit.did.deactivated', { actor, person }),
  person_reactivated: ({ actor, person }) => rich('audit.did.reactivated', { actor, person }),
  account_deleted: () => t('audit.did.accountDeleted'),
  role_changed: ({ actor, person, detail }) =>
    rich('audit.did.roleChanged', { actor, person, from: roleName(detail('from')), to: roleName(detail('to')) }),
  handover_offered: ({ actor, person }) => rich('audit.did.handoverOffered', { actor, person }),
  handover_withdrawn: ({ actor, person }) => rich('audit.did.handoverWithdrawn', { actor, person }),
  handover_declined: ({ actor, person }) => rich('audit.did.handoverDeclined', { actor, person }),
  workspace_handed_over: ({ actor, person }) => rich('audit.did.handedOver', { actor, person }),
  workspace_renamed: ({ actor, detail }) =>
    rich('audit.did.workspaceRenamed', { actor, from: <bdi>{detail('from')}</bdi>, to: <bdi>{detail('to')}</bdi> }),
  sign_up_changed: ({ actor, detail }) =>
    rich('audit.did.signUpChanged', { actor, from: signUpName(detail('from')), to: signUpName(detail('to')) }),
  link_previews_changed: ({ actor, detail }) =>
    detail('to') === 'on' ? rich('audit.did.linkPreviewsOn', { actor }) : rich('audit.did.linkPreviewsOff', { actor }),
  edit_history_changed: ({ actor, detail }) =>
    detail('to') === 'on' ? rich('audit.did.editHistoryOn', { actor }) : rich('audit.did.editHistoryOff', { actor }),
  notification_level_changed: ({ actor, detail }) =>
    rich('audit.did.notificationLevelChanged', {
      actor,
      from: levelName(detail('from') as NotificationLevel),
      to: levelName(detail('to') as NotificationLevel),
    }),
  demo_filled: ({ actor }) => rich('audit.did.demoFilled', { actor }),
  demo_emptied: ({ actor }) => rich('audit.did.demoEmptied', { actor }),
  invite_created: ({ actor, count }) => rich('audit.did.inviteCreated', { actor, count: count('maxUses') }),
  invite_revoked: ({ actor, person }) => rich('audit.did.inviteRevoked', { actor, person }),
  channel_created: ({ actor, channel }) => rich('audit.did.channelCreated', { actor, channel }),
  channel_renamed: ({ actor, channel, detail }) =>
    detail('from')
      ? rich('audit.did.channelRenamed', { actor, channel, from: <b>{`#${detail('from')}`}</b> })
      : rich('audit.did.channelRenamedHidden', { actor, channel }),
  channel_made_private: ({ actor, channel }) => rich('audit.did.channelMadePrivate', { actor, channel }),
  channel_made_public: ({ actor, channel }) => rich('audit.did.channelMadePublic', { actor, channel }),
  channel_transferred: ({ actor, person, channel }) => rich('audit.did.channelTransferred', { actor, person, channel }),
  channel_archived: ({ actor, channel }) => rich('audit.did.channelArchived', { actor, channel }),
  channel_restored: ({ actor, channel }) => rich('audit.did.channelRestored', { actor, channel }),
  poster_added: ({ actor, person, channel }) => rich('audit.did.posterAdded', { actor, person, channel }),
  poster_removed: ({ actor, person, channel }) => rich('audit.did.posterRemoved', { actor, person, channel }),
  channel_rules_changed: ({ actor, channel }) => rich('audit.did.channelRules', { actor, channel }),
  private_channels_listed: ({ actor, detail }) =>
    detail('listsPrivate') === 'true'
      ? rich('audit.did.privateListed', { actor })
      : rich('audit.did.privateHidden', { actor }),
  permissions_changed: ({ actor, detail }) =>
    rich('audit.did.permission', {
      actor,
      permission: permissionName(detail('permission')),
      role: `${roleName(detail('role'))} ${detail('isAllowed') === 'true' ? '✓' : '✗'}`,
    }),
  profile_fields_changed: ({ actor }) => rich('audit.did.profileFields', { actor }),
  person_muted: ({ actor, person, count }) => rich('audit.did.personMuted', { actor, person, hours: count('hours') }),
  person_unmuted: ({ actor, person }) => rich('audit.did.personUnmuted', { actor, person }),
  guest_end_changed: ({ actor, person, count }) => rich('audit.did.guestEnd', { actor, person, days: count('days') }),
  report_dismissed: ({ actor, person }) => rich('audit.did.reportDismissed', { actor, person }),
  group_provided: ({ detail }) =>
    rich('audit.did.groupProvided', { token: detail('token'), group: <b>{`@${detail('group')}`}</b> }),
  group_created: ({ actor, detail }) =>
    rich('audit.did.groupCreated', { actor, group: <b>{`@${detail('group')}`}</b> }),
  group_changed: ({ actor, detail }) =>
    rich('audit.did.groupChanged', { actor, group: <b>{`@${detail('group')}`}</b> }),
  group_deleted: ({ actor, detail }) =>
    rich('audit.did.groupDeleted', { actor, group: <b>{`@${detail('group')}`}</b> }),
  emoji_added: ({ actor, detail }) => rich('audit.did.emojiAdded', { actor, emoji: <b>{`:${detail('emoji')}:`}</b> }),
  emoji_removed: ({ actor, detail }) =>
    rich('audit.did.emojiRemoved', { actor, emoji: <b>{`:${detail('emoji')}:`}</b> }),
  channel_deleted: ({ actor, channel }) => rich('audit.did.channelDeleted', { actor, channel }),
  member_added: ({ actor, person, channel }) => rich('audit.did.memberAdded', { actor, person, channel }),
  member_removed: ({ actor, person, channel }) => rich('audit.did.memberRemoved', { actor, person, channel }),
  message_deleted: ({ actor, person, channel }) => rich('audit.did.messageDeleted', { actor, person, channel }),
  export_started: ({ actor, channel, detail }) => {
    if (channel) return rich('audit.did.exportStartedChannel', { actor, channel })
    return detail('scope') !== 'mine'
      ? rich('audit.did.exportStartedWorkspace', { actor })
      : rich('audit.did.exportStarted', { actor })
  },
  export_downloaded: ({ actor }) => rich('audit.did.exportDownloaded', { actor }),
  import_started: ({ actor }) => rich('audit.did.importStarted', { actor }),
  import_finished: ({ actor, count }) => rich('audit.did.importFinished', { actor, count: count('messages') }),
  import_accepted: ({ actor }) => rich('audit.did.importAccepted', { actor }),
  import_undone: ({ actor }) => rich('audit.did.importUndone', { actor }),
  import_retried: ({ actor }) => rich('audit.did.importRetried', { actor }),
  import_cancelled: ({ actor }) => rich('audit.did.importCancelled', { actor }),
  audit_downloaded: ({ actor }) => rich('audit.did.auditDownloaded', { actor }),
  person_claimed: ({ actor }) => rich('audit.did.personClaimed', { actor }),
  export_deleted: ({ actor }) => rich('audit.did.exportDeleted', { actor }),
  backup_made: () => t('audit.did.backupMade'),
  backup_restored: ({ detail }) => t('audit.did.backupRestored', { name: detail('name') }),
  rolled_back: ({ detail }) => t('audit.did.rolledBack', { name: detail('name') }),
  audit_ages_changed: ({ actor, count }) =>
    rich('audit.did.ages', { actor, days: count('days'), addressDays: count('addressDays') }),
  retention_changed: ({ actor, channel, count, detail }) => {
    const days = count('days')
    if (channel)
      return days
        ? rich('audit.did.retentionSetIn', { actor, channel, days })
        : rich('audit.did.retentionOffIn', { actor, channel })
    return detail('days') ? rich('audit.did.retentionSet', { actor, days }) : rich('audit.did.retentionOff', { actor })
  },
  messages_expired: ({ actor, channel, count }) =>
    rich('audit.did.expired', { actor, channel, messages: count('messages'), files: count('files') }),
  hold_placed: ({ actor, person, channel, has }) =>
    has.person ? rich('audit.did.heldPerson', { actor, person }) : rich('audit.did.heldChannel', { actor, channel }),
  hold_lifted: ({ actor, person, channel, has }) =>
    has.person
      ? rich('audit.did.liftedPerson', { actor, person })
      : rich('audit.did.liftedChannel', { actor, channel }),
  file_deleted: ({ actor, person, channel }) => rich('audit.did.fileDeleted', { actor, person, channel }),
}

const isKnownKind = (kind: string): kind is AuditKind => Object.hasOwn(sentences, kind)

/** What happened, in plain words. */
export function AuditSentence({ entry }: { entry: AuditEntry }) {
  const { kind, actor, person, channel, details } = entry
  // A newer server may record more.
  if (!isKnownKind(kind)) return kind
  return sentences[kind]({
    actor: actor ? <Person name={actor.name} /> : <Person name={t('audit.parley')} />,
    person: person && <Person name={person.name} />,
    channel: channel && <ChannelName channel={channel} />,
    has: entry,
    detail: (name) => String(details[name] ?? ''),
    count: (name) => Number(details[name] ?? 0),
  })
}

const Person = ({ name }: { name: string }) => <bdi className="font-[600]">{shownName(name)}</bdi>

function ChannelName({ channel: { id, name, kind } }: { channel: NonNullable<AuditEntry['channel']> }) {
  if (name === null) return kind === 'direct' ? t('audit.aDirectMessage') : t('audit.aPrivateChannel')
  const shown = <bdi className="font-[600]">#{name}</bdi>
  return id ? (
    <Link to={paths.channel(id)} className="relative z-1 rounded-s hover:underline">
      {shown}
    </Link>
  ) : (
    shown
  )
}

function roleName(role: string) {
  if (role === 'owner') return t('identity.accounts.owner')
  if (role === 'guest') return t('identity.accounts.guest')
  return role === 'admin' ? t('identity.accounts.admin') : t('audit.roleMember')
}
