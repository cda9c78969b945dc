import { useContext } from 'react'
import { Link } from 'react-router'
import type { Message } from '#contract/messages'
import { useMeansMe } from '../../../cache/means-me.ts'
import { useCustomEmoji } from '../../../emoji/custom-emoji.ts'
import { EmojiPicture } from '../../../emoji/emoji-sign.tsx'
import { paths } from '../../../paths.ts'
import { plainText } from '../../../ui/format/plain-text.ts'
import { ChannelIds } from './message-link.tsx'
import { splitMentions } from './split-mentions.ts'

/** A little more than two lines of the widest column. */
const MAX_CHARACTERS = 320

type Previewed = Pick<Message, 'content'> & Partial<Pick<Message, 'mentions' | 'broadcast'>>

/** A message in at most two lines of plain text, with its mentions, channel links and emoji. */
export function TextPreview({ message, meId }: { message: Previewed; meId: string }) {
  const { content, mentions = [], broadcast = null } = message
  useMeansMe()
  const channelIds = useContext(ChannelIds)
  const emoji = useCustomEmoji()
  const words = splitMentions(plainText(content, MAX_CHARACTERS), { mentions, broadcast, meId, channelIds, emoji })
  return (
    <div className="prose">
      <p dir="auto" className="line-clamp-2 w-fit max-w-full">
        {/* biome-ignore-start lint/suspicious/noArrayIndexKey: changed text renders anew */}
        {words.map((word, index) => {
          if (typeof word === 'string') return word
          if (word.kind === 'keyword') return word.text
          if (word.kind === 'emoji') return <EmojiPicture key={index} emoji={word.emoji} text={word.text} />
          if (word.kind === 'person')
            return (
              <bdi key={index} className={word.isMe ? 'at at-me' : 'at'}>
                {word.text}
              </bdi>
            )
          return (
            <Link key={index} to={paths.channel(word.channelId)}>
              {word.text}
            </Link>
          )
        })}
        {/* biome-ignore-end lint/suspicious/noArrayIndexKey: changed text renders anew */}
      </p>
    </div>
  )
}
