import type { Import } from '#contract/imports'
import { refusalText } from '../../api-client/failure-text.ts'
import { type PlainTextId, t } from '../../i18n/text.ts'

const omitted: Record<string, PlainTextId> = {
  pins: 'imports.omitted.pins',
  customEmoji: 'imports.omitted.customEmoji',
  takenEmoji: 'imports.omitted.takenEmoji',
  refusedEmoji: 'imports.omitted.refusedEmoji',
  missingFile: 'imports.omitted.missingFile',
  externalFile: 'imports.omitted.externalFile',
  tooLargeFile: 'imports.omitted.tooLargeFile',
  tooLongMessage: 'imports.omitted.tooLongMessage',
  tooManyReactions: 'imports.omitted.tooManyReactions',
  systemMessage: 'imports.omitted.systemMessage',
  unknownMessage: 'imports.omitted.unknownMessage',
  unknownPerson: 'imports.omitted.unknownPerson',
  bookmarks: 'imports.omitted.bookmarks',
  calls: 'imports.omitted.calls',
  damagedLine: 'imports.omitted.damagedLine',
  unknownFile: 'imports.omitted.unknownFile',
}
/** A newer server may know more. */
export const omissionText = (omission: string) => (omitted[omission] ? t(omitted[omission]) : omission)

const problems: Record<string, PlainTextId> = {
  'import.damaged': 'imports.problem.damaged',
  'import.duplicateName': 'imports.problem.duplicateName',
  'import.encrypted': 'imports.problem.encrypted',
  'import.filesRefused': 'imports.problem.filesRefused',
  'import.filesUnreachable': 'imports.problem.filesUnreachable',
  'import.newerVersion': 'imports.problem.newerVersion',
  'import.notAnArchive': 'imports.problem.notAnArchive',
  'import.recordTooLarge': 'imports.problem.recordTooLarge',
  'import.tooLarge': 'imports.problem.tooLarge',
  'import.tooManyChannels': 'imports.problem.tooManyChannels',
  'import.tooManyEntries': 'imports.problem.tooManyEntries',
  'import.tooManyEmoji': 'imports.problem.tooManyEmoji',
  'import.tooManyMembers': 'imports.problem.tooManyMembers',
  'import.tooManyPeople': 'imports.problem.tooManyPeople',
  'import.unknownFormat': 'imports.problem.unknownFormat',
  'import.unsafeName': 'imports.problem.unsafeName',
}

/** Why an import stopped, and where in the archive. */
export function stopText({ problem }: Import): string {
  if (!problem) return t('errors.importStopped')
  const known = problems[problem.reason]
  const entry = String(problem.values?.['entry'] ?? '')
  if (known) return entry ? `${t(known)} (${entry})` : t(known)
  return refusalText(problem.reason, problem.values) ?? t('errors.importStopped')
}

const products: Record<string, string> = {
  slack: 'Slack',
  mattermost: 'Mattermost',
  discord: 'Discord',
  rocketchat: 'Rocket.Chat',
  zulip: 'Zulip',
  parley: 'Parley',
}
export const productName = (format: string | null) => (format === null ? '' : (products[format] ?? format))
