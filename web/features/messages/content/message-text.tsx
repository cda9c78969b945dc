import { memo, type ReactNode, useContext, useMemo } from 'react'
import { Link } from 'react-router'
import type { CustomEmoji } from '#contract/custom-emoji'
import { CUSTOM_EMOJI, foldEmojiName } from '#contract/emoji'
import type { Broadcast, Mention } from '#contract/mentions'
import { useMeansMe } from '../../../cache/means-me.ts'
import { useCustomEmoji } from '../../../emoji/custom-emoji.ts'
import { EmojiPicture } from '../../../emoji/emoji-sign.tsx'
import { useLanguage } from '../../../i18n/language.ts'
import { paths } from '../../../paths.ts'
import { Lazy } from '../../../ui/lazy/lazy.tsx'
import { LazyAudioPlayer } from './lazy-audio-player.tsx'
import { renderNodes } from './markdown-nodes.tsx'
import { ChannelIds } from './message-link.tsx'
import { parseMarkdown } from './parse-markdown.ts'
import { QuoteLoader } from './quote-loader.ts'
import { splitAtQuotes } from './quotes.ts'
import { splitMentions } from './split-mentions.ts'

interface Props {
  content: string
  mentions?: readonly Mention[]
  broadcast?: Broadcast | null
  /** The user whose mentions are highlighted. */
  meId?: string
}

const NO_MENTIONS: readonly Mention[] = []
/** A URL stays as it is. */
const NO_EMOJI: ReadonlyMap<string, CustomEmoji> = new Map()

let fewEmoji: RegExp | undefined
/** Whether a message consists of a few emoji. The pattern is large, so it is compiled only when needed. */
function isFewEmoji(written: string, custom: ReadonlyMap<string, CustomEmoji>) {
  const content = custom.size > 0 && written.includes(':') ? withSigns(written, custom) : written
  if (content.length > 200 || /[a-z]/i.test(content) || !/^\p{Emoji}/u.test(content)) return false
  fewEmoji ??= /^\p{RGI_Emoji}(?:\s*\p{RGI_Emoji}){0,4}$/v
  return fewEmoji.test(content)
}

/** A text with any emoji in place of those of the workspace. */
const withSigns = (text: string, custom: ReadonlyMap<string, CustomEmoji>) =>
  text.replace(CUSTOM_EMOJI, (written, name: string) => (custom.has(foldEmojiName(name)) ? '😀' : written))

/** In the text of every message with a quote. */
const LINKS_TO_MESSAGE = '?message='

/** Whether a message is the URL of an audio file, which gets a player. */
export const isAudioLink = (content: string) => /\.mp3$/i.test(content) && !content.includes(LINKS_TO_MESSAGE)

/**
 * Renders a message: markdown as used in chats, with mentions, channel links and the workspace's emoji. HTML stays text, line breaks are kept,
 * and the URL of an mp3 file gets a player.
 */
export const MessageText = memo(function MessageText({
  content,
  mentions = NO_MENTIONS,
  broadcast = null,
  meId,
}: Props) {
  useMeansMe()
  useLanguage()
  const channelIds = useContext(ChannelIds)
  const emoji = useCustomEmoji()
  const loadQuote = useContext(QuoteLoader)
  const isAudio = isAudioLink(content)
  const tree = useMemo(() => (isAudio ? undefined : parseMarkdown(content)), [content, isAudio])
  if (isAudio) return <LazyAudioPlayer content={content} />

  function renderText(text: string, inLink = false): ReactNode {
    // biome-ignore-start lint/suspicious/noArrayIndexKey: changed text renders anew
    return splitMentions(text, { mentions, broadcast, meId, channelIds, emoji: inLink ? NO_EMOJI : emoji }).map(
      (word, index) => {
        if (typeof word === 'string') return word
        if (word.kind === 'emoji') return <EmojiPicture key={index} emoji={word.emoji} text={word.text} />
        if (word.kind === 'keyword')
          return (
            <span key={index} className="at at-me">
              {word.text}
            </span>
          )
        if (word.kind === 'person')
          return (
            // The page handles clicks; the message's menu offers the same by keyboard.
            <bdi key={index} data-person={inLink ? undefined : word.userId} className={word.isMe ? 'at at-me' : 'at'}>
              {word.text}
            </bdi>
          )
        if (inLink) return word.text
        return (
          <Link key={index} to={paths.channel(word.channelId)}>
            {word.text}
          </Link>
        )
      },
    )
    // biome-ignore-end lint/suspicious/noArrayIndexKey: changed text renders anew
  }

  if (tree && loadQuote && content.includes(LINKS_TO_MESSAGE))
    return splitAtQuotes(tree.children).map((part, index) =>
      Array.isArray(part) ? (
        // biome-ignore lint/suspicious/noArrayIndexKey: changed text renders anew
        <div key={index} className="prose">
          {renderNodes(part, { source: content, renderText, inLink: false })}
        </div>
      ) : (
        // biome-ignore lint/suspicious/noArrayIndexKey: the same message may be quoted twice
        <Lazy key={`${index} ${part.messageId}`} load={loadQuote} waiting={<div className="h-12" />} {...part} />
      ),
    )
  return (
    <div className={isFewEmoji(content, emoji) ? 'prose emoji' : 'prose'}>
      {tree ? (
        renderNodes(tree.children, { source: content, renderText, inLink: false })
      ) : (
        <p dir="auto">{renderText(content)}</p>
      )}
    </div>
  )
})
