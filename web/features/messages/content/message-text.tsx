import { memo, type ReactNode, useContext, useMemo } from 'react'
import { Link } from 'react-router'
import type { Broadcast, Mention } from '#contract/mentions'
import { useMyGroups } from '../../../cache/my-groups.ts'
import { useLanguage } from '../../../i18n/language.ts'
import { paths } from '../../../paths.ts'
import { LazyAudioPlayer } from './lazy-audio-player.tsx'
import { renderNodes } from './markdown-nodes.tsx'
import { ChannelIds } from './message-link.tsx'
import { parseMarkdown } from './parse-markdown.ts'
import { splitMentions } from './split-mentions.ts'

interface Props {
  content: string
  mentions?: readonly Mention[]
  broadcast?: Broadcast | null
  /** The user whose mentions are highlighted. */
  meId?: string
}

const NO_MENTIONS: readonly Mention[] = []

let fewEmoji: RegExp | undefined
/** Whether a message consists of a few emoji. The pattern is large, so it is compiled only when needed. */
function isFewEmoji(content: string) {
  if (content.length > 200 || /[a-z]/i.test(content) || !/^\p{Emoji}/u.test(content)) return false
  fewEmoji ??= /^\p{RGI_Emoji}(?:\s*\p{RGI_Emoji}){0,4}$/v
  return fewEmoji.test(content)
}

/** Whether a message is the URL of an audio file, which gets a player. */
export const isAudioLink = (content: string) => /\.mp3$/i.test(content)

/**
 * Renders a message: markdown as used in chats, with mentions and channel links. HTML stays text, line breaks are kept,
 * and the URL of an mp3 file gets a player.
 */
export const MessageText = memo(function MessageText({
  content,
  mentions = NO_MENTIONS,
  broadcast = null,
  meId,
}: Props) {
  useMyGroups()
  useLanguage()
  const channelIds = useContext(ChannelIds)
  const isAudio = isAudioLink(content)
  const tree = useMemo(() => (isAudio ? undefined : parseMarkdown(content)), [content, isAudio])
  if (isAudio) return <LazyAudioPlayer content={content} />

  function renderText(text: string, inLink = false): ReactNode {
    // biome-ignore-start lint/suspicious/noArrayIndexKey: changed text renders anew
    return splitMentions(text, { mentions, broadcast, meId, channelIds }).map((word, index) => {
      if (typeof word === 'string') return word
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
    })
    // biome-ignore-end lint/suspicious/noArrayIndexKey: changed text renders anew
  }

  return (
    <div className={isFewEmoji(content) ? 'prose emoji' : 'prose'}>
      {tree ? (
        renderNodes(tree.children, { source: content, renderText, inLink: false })
      ) : (
        <p dir="auto">{renderText(content)}</p>
      )}
    </div>
  )
})
