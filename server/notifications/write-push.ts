import type { PushContent } from '#contract/push'
import { withQuoteLabels } from '#contract/quotes'
import { type MailTexts, mailTexts } from '../mail/mail-texts.ts'
import { cut } from '../text/cut.ts'
import type { PushFacts, PushMessage } from './read-push.ts'

/** Bytes of texts in JSON, quotation marks included: with the rest they stay below what push services accept. */
const MAX_BYTES = { title: 400, text: 1500 }
const SHRINK = 0.9

/** @param hiddenAt the workspace's name, to say only that there is something new in it */
export function writePush(its: PushFacts, hiddenAt?: string): PushContent {
  const texts = mailTexts(its.language)
  const { t, language, direction } = texts
  const { message, item, itemId } = its
  const isReminder = itemId !== null
  const place =
    message && !isReminder
      ? messagePlace(texts, message, hiddenAt === undefined && message.mayReply)
      : { path: '/later' }
  const tag = item ? `${itemId} ${item.at}` : (its.messageId ?? its.id)
  const rest = { to: its.userId, tag, ...place, ...(its.rule && { rule: its.rule }), language, direction }
  if (hiddenAt !== undefined) {
    const text = isReminder ? t('later.notice') : t('push.newMessage')
    return { title: shortened(hiddenAt, MAX_BYTES.title), text, ...rest }
  }
  const reason = its.rule && reasonOf(texts, its.rule)
  const title = message && !isReminder ? titleOf(texts, message) : reminderTitle(texts, message)
  return {
    title: shortened(title, MAX_BYTES.title),
    text: shortened(item?.text ?? (message ? shownText(texts, message) : ''), MAX_BYTES.text),
    ...(reason && { reason }),
    ...rest,
  }
}

function messagePlace({ t }: MailTexts, { id, channelId, threadId, seq, kind }: PushMessage, mayReply: boolean) {
  const replyTo = threadId ?? (kind === 'direct' ? null : id)
  return {
    path: `/channels/${channelId}?message=${id}`,
    message: { id, channelId, threadId, seq, ...(mayReply && { replyTo }) },
    actions: {
      reply: t('push.reply'),
      replyPlaceholder: t('push.replyPlaceholder'),
      replyKept: t('push.replyKept'),
      replyFailed: t('push.replyFailed'),
      read: t('push.read'),
      readFailed: t('push.readFailed'),
    },
  }
}

/** The content of a notification that somebody asked for, to see whether they arrive. */
export function writeTestPush(id: string, to: string, language: string | null): PushContent {
  const { t, ...texts } = mailTexts(language)
  return { to, tag: id, title: t('push.testTitle'), text: t('push.testText'), path: '/', ...texts }
}

/** The reason, unless it is a direct message. The keyword is not named: the message shows it. */
function reasonOf({ t }: MailTexts, rule: NonNullable<PushFacts['rule']>): string | undefined {
  if (rule === 'direct') return undefined
  return rule === 'keyword' ? t('push.keyword') : t(`notifications.reason.${rule}`)
}

/** The author, and where: 'Bob Kahn in #launch'; only the author in a direct message to one person. */
function titleOf({ t }: MailTexts, message: PushMessage): string {
  const { author: name, threadId, kind, memberCount } = message
  if (kind === 'direct' && memberCount <= 2) return threadId === null ? name : t('notifications.titleThread', { name })
  const values = { name, place: placeOf(message) }
  return threadId === null ? t('notifications.titleIn', values) : t('notifications.titleInThread', values)
}

const reminderTitle = ({ t }: MailTexts, message: PushMessage | null) =>
  message ? t('later.noticeOf', { name: message.author, place: placeOf(message) }) : t('later.notice')

function placeOf({ kind, channelName, memberCount, others }: PushMessage) {
  if (kind !== 'direct') return `#${channelName}`
  const names = others.join(', ')
  if (memberCount <= 2) return `@${names}`
  return memberCount - 1 > others.length ? `${names}…` : names
}

function shownText({ t }: MailTexts, { content, files }: PushMessage): string {
  const text = withQuoteLabels(content.trim())
  return text === '' && files > 0 ? t('mail.missed.files', { count: files }) : text
}

/** Shortens a text to some bytes of JSON, without splitting characters. */
function shortened(text: string, bytes: number): string {
  let shown = cut(text, bytes)
  while (Buffer.byteLength(JSON.stringify(shown)) > bytes) shown = cut(text, Math.floor(shown.length * SHRINK))
  return shown
}
