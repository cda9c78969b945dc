import type { Kysely } from 'kysely'
import type { MailRule } from '#contract/mail-rules'
import { withQuoteLabels } from '#contract/quotes'
import type { DB } from '../db/schema.ts'
import { readWorkspaceName } from '../db/workspace-name.ts'
import type { MailContent, MailTemplate } from '../mail/enqueue-mail.ts'
import type { LinkCode } from '../mail/link-codes.ts'
import { type MailTexts, mailTexts } from '../mail/mail-texts.ts'
import { cut } from '../text/cut.ts'
import type { Missed } from './find-missed.ts'
import {
  DIGEST_CONVERSATIONS,
  MESSAGES_SHOWN,
  type MissedMessage,
  readMessages,
  readOthers,
  readReader,
  readSubscriber,
  readUnread,
} from './read-missed.ts'
import { stopToken } from './rules.ts'

const EXCERPT = 300
const NAMES_SHOWN = 3

/** The queue only contains what a mail is about; its text is written when it is sent. */
export type MissedTemplate = MailTemplate & { template: 'missed' } & Pick<
    Missed,
    'rule' | 'channelId' | 'threadId' | 'since'
  > & { isKeyword?: boolean }

interface Options {
  db: Kysely<DB>
  linkCode: LinkCode
  publicUrl: string
  /** Whether a person is currently active. */
  isActive: (userId: string) => boolean
}

/** Writes mails about missed messages when they are sent; undefined if the mail is no longer needed. */
export function createMissedMail({ db, linkCode, publicUrl, isActive }: Options) {
  /** The ending of every such mail: how to stop them, without signing in. */
  function ending({ t, language, direction }: MailTexts, rule: MailRule, userId: string) {
    const token = stopToken(linkCode, rule, userId)
    return {
      footer: rule === 'digest' ? t('mail.digest.footer') : t('mail.missed.footer'),
      footerLink: { label: t('mail.stop'), url: `${publicUrl}/stop-mail#${token}` },
      unsubscribeUrl: `${publicUrl}/api/auth/mail/stop/${token}`,
      language,
      direction,
    }
  }

  const openLabel = async ({ t }: MailTexts) => t('mail.missed.open', { workspace: await readWorkspaceName(db) })

  async function writeMissed(where: MissedTemplate, userId: string): Promise<MailContent | undefined> {
    if (isActive(userId)) return undefined
    const reader = await readReader(db, userId, where)
    if (!reader) return undefined
    const found = await readMessages(db, userId, where)
    const [first] = found
    if (!first) return undefined
    const texts = mailTexts(reader.language)
    const place =
      reader.kind === 'direct' ? (await readOthers(db, userId, where.channelId)).join(', ') : `#${reader.name}`
    const query = where.threadId ? `?thread=${where.threadId}` : ''
    return {
      subject: subjectOf(texts, where, first, cut(place, EXCERPT), reader.kind === 'direct' && reader.memberCount > 2),
      paragraphs: [
        ...found.slice(0, MESSAGES_SHOWN).map((message) => excerptOf(texts, message)),
        ...(found.length > MESSAGES_SHOWN ? [texts.t('mail.missed.more')] : []),
      ],
      action: { label: await openLabel(texts), url: `${publicUrl}/channels/${where.channelId}${query}` },
      ...ending(texts, where.rule, userId),
    }
  }

  async function writeDigest(userId: string): Promise<MailContent | undefined> {
    const reader = await readSubscriber(db, userId)
    const unread = reader ? await readUnread(db, userId) : []
    if (!reader || unread.length === 0) return undefined
    const texts = mailTexts(reader.language)
    const { t } = texts
    const lines: string[] = []
    for (const { id, kind, name, unread: count } of unread.slice(0, DIGEST_CONVERSATIONS)) {
      const others = kind === 'direct' ? await readOthers(db, userId, id) : []
      const shown = kind === 'direct' ? others.slice(0, NAMES_SHOWN).join(', ') : `#${name}`
      lines.push(t('mail.digest.line', { place: cut(shown, EXCERPT), count }))
    }
    return {
      subject: t('mail.digest.subject', { workspace: await readWorkspaceName(db) }),
      paragraphs: [
        t('mail.digest.text'),
        lines.join('\n'),
        ...(unread.length > DIGEST_CONVERSATIONS ? [t('mail.digest.more')] : []),
      ],
      action: { label: await openLabel(texts), url: publicUrl },
      ...ending(texts, 'digest', userId),
    }
  }

  return async (mail: MailTemplate, userId: string | null): Promise<MailContent | undefined> => {
    if (userId === null) return undefined
    if (mail.template === 'digest') return writeDigest(userId)
    return mail.template === 'missed' ? writeMissed(mail as MissedTemplate, userId) : undefined
  }
}

function subjectOf(
  { t }: MailTexts,
  { rule, isKeyword }: MissedTemplate,
  { author }: MissedMessage,
  place: string,
  isGroup: boolean,
) {
  if (rule === 'mentions' && isKeyword) return t('mail.missed.keyword', { name: author, place })
  if (rule === 'mentions') return t('mail.missed.mention', { name: author, place })
  if (rule === 'threads') return t('mail.missed.thread', { name: author, place })
  return isGroup ? t('mail.missed.group', { name: author, place }) : t('mail.missed.direct', { name: author })
}

function excerptOf({ t }: MailTexts, { author, content, files }: MissedMessage) {
  const text = cut(withQuoteLabels(content.trim()), EXCERPT)
  const attached = files > 0 ? t('mail.missed.files', { count: files }) : ''
  return `${author}:\n${[text, attached].filter(Boolean).join('\n')}`
}
